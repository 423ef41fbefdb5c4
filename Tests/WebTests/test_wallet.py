"""W1, W2, W3, W5: cards, payments with the bank's question, top-ups and cash-outs, by clicks."""

import re

import pytest
from playwright.sync_api import expect

from ordering import status
from paying import ASKS, DECLINED, GOOD, answer_bank, fill_card, press_next
from test_parcels import post_parcel

BOTH = pytest.mark.parametrize("language", ["en", "ar"])
LATE = 60_000


@BOTH
def test_w3_a_card_is_stored_made_the_first_one_and_deleted_with_an_undo(people, language):
    person = people("carrepsa", language=language, name="Olof Berg")
    person.register(kind=("Sender", "مرسل"))
    person.tab(("Wallet", "المحفظة"))
    person.at(("Wallet", "المحفظة"))
    person.see(("Nothing here yet", "لا شيء هنا بعد"))
    person.shot("wallet-empty")
    person.tap(("Cards", "البطاقات"))
    person.see(("No card yet", "لا توجد بطاقة بعد"))
    person.tap(("Add a card", "إضافة بطاقة"))
    press_next(person)
    expect(person.page.get_by_role("alert")).to_be_visible()
    person.shot("card-wrong")
    fill_card(person, GOOD)
    press_next(person)
    person.see("4242")
    person.shot("cards")
    person.page.locator("a", has_text="4242").click()
    person.shot("card")
    person.tap(("Delete the card", "حذف البطاقة"))
    person.see(("No card yet", "لا توجد بطاقة بعد"))
    person.tap(("Undo", "تراجع"))
    person.see("4242")


def test_w2_the_bank_asks_its_customer_and_the_order_is_paid_or_not(people, tmp_path):
    owner = people("carrepsa", name="Olof Berg")
    owner.register(kind="Sender")
    post_parcel(owner, tmp_path, "50", "")
    owner.at("Pay")
    fill_card(owner, DECLINED)
    press_next(owner)
    expect(owner.page.get_by_text(re.compile("declined|refused"), exact=False).first).to_be_visible(timeout=LATE)
    owner.shot("pay-refused")
    if owner.page.locator("input[name=number]").count() == 0:
        owner.page.get_by_role("radio", name="Another card").check()
    fill_card(owner, ASKS)
    press_next(owner)
    owner.page.wait_for_url(re.compile("/redirect/"), timeout=LATE)
    answer_bank(owner, "No")
    owner.see("Nothing was taken")
    owner.shot("pay-not-confirmed")
    owner.fill("Security code (CVV)", "123")
    owner.page.get_by_role("radio", name=re.compile("3184")).check()
    press_next(owner)
    owner.page.wait_for_url(re.compile("/redirect/"), timeout=LATE)
    answer_bank(owner, "Yes")
    status(owner, "Your parcel is on the board")


@BOTH
def test_w5_a_wallet_is_filled_and_money_is_asked_out_of_it(people, language):
    person = people("carrepsa", language=language, name="Olof Berg")
    person.register(kind=("Sender", "مرسل"))
    person.go("wallet/top-up")
    person.at(("Top up", "شحن المحفظة"))
    person.shot("top-up")
    person.page.locator("input[name=amount]").fill("80")
    fill_card(person, GOOD)
    press_next(person)
    expect(person.page.get_by_role("heading", name=re.compile("is in your wallet|في محفظتك"))).to_be_visible(timeout=LATE)
    person.tap(("Open the wallet", "فتح المحفظة"))
    person.see("80.00")
    person.tap(("All of the statement", "كشف الحساب كاملًا"))
    person.see("80.00")
    person.shot("statement")
    # Money of a card leaves by a cash-out later only; it can go back to its card at once.
    person.go("wallet/cash-out")
    person.at(("Cash out", "سحب الرصيد"))
    person.shot("cash-out-nothing")


@BOTH
@pytest.mark.parametrize("market", ["btnc", "edencare"])
def test_w5_a_bank_account_is_written_as_its_country_writes_it(people, market, language):
    person = people(market, language=language)
    person.register()
    person.go("wallet/banks/add")
    person.at(("Add a bank account", "إضافة حساب بنكي"))
    numbers = {"bsb": "036-00", "accountNumber": "123456"} if market == "btnc" else {"transit": "0001", "institution": "003", "accountNumber": "1234567"}
    for name, value in numbers.items():
        person.page.locator(f"input[name={name}]").fill(value)
    person.page.locator("input[name=holder]").fill("Huda Salem")
    person.page.locator("input[name=bankName]").fill("Westpac" if market == "btnc" else "RBC")
    press_next(person)
    expect(person.page.get_by_role("alert")).to_be_visible()
    person.shot(f"bank-{market}-wrong")
    wrong = "bsb" if market == "btnc" else "transit"
    person.page.locator(f"input[name={wrong}]").fill("036-001" if market == "btnc" else "00012")
    press_next(person)
    person.see(("account ending in", "الحساب المنتهي بـ"))
    person.shot(f"banks-{market}")
    person.page.get_by_role("listitem").get_by_role("link").click()
    expect(person.page.locator(f"input[name={wrong}]")).to_have_value("")


# What Safari has: the sheet, whose owner says yes at once, and asks the site for the merchant's session before.
SAFARI = """
window.ApplePaySession = class {
  static STATUS_SUCCESS = 0;
  static STATUS_FAILURE = 1;
  static canMakePayments() { return true; }
  constructor(version, request) { this.request = request; }
  begin() { setTimeout(() => this.onvalidatemerchant({ validationURL: "GATEWAY/paymentservices/startSession" })); }
  completeMerchantValidation(session) {
    if (!session.merchantSessionIdentifier) throw new Error("no session");
    this.onpaymentauthorized({ payment: { token: {
      paymentData: { data: "of a phone", version: "EC_v1" }, paymentMethod: { displayName: "Visa 4242", network: "Visa" },
      transactionIdentifier: "of one payment" } } });
  }
  completePayment({ status }) { window.paidAtApple = [status, this.request.total.amount, this.request.countryCode]; }
  abort() {}
};
"""


def test_w2_w3_a_wallet_is_filled_with_apple_pay_where_the_phone_has_it(people):
    person = people("btnc")
    person.context.add_init_script(SAFARI.replace("GATEWAY", person.sandbox.url))
    person.register()
    person.go("wallet/top-up")
    person.at("Top up")
    person.page.locator("input[name=amount]").fill("80")
    person.choose("Apple Pay")
    person.shot("top-up-apple-pay")
    press_next(person)
    expect(person.page.get_by_role("heading", name=re.compile("is in your wallet"))).to_be_visible(timeout=LATE)
    assert person.page.evaluate("window.paidAtApple") == [0, "80.00", "AU"]
