"""X17: keys and webhooks by which a business connects its own programs, by clicks, in both languages."""

import pytest
from playwright.sync_api import expect

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


@BOTH
def test_x17_a_key_is_made_seen_once_and_revoked(people, language):
    owner = people("carrepsa", language=language)
    owner.register(kind=("Sender", "مرسل"))
    owner.tab(("Me", "حسابي"))
    owner.tap(("Connect your programs", "ربط برامجك"))
    owner.see(("No key yet", "لا توجد مفاتيح بعد"))
    owner.shot("keys-none")
    owner.tap(("Make a key", "إنشاء مفتاح"))
    dialog = owner.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("Shop")
    dialog.get_by_label(owner.word(("Order and pay", "الطلب والدفع"))).check()
    owner.shot("keys-new")
    dialog.locator("button[type=submit]").click()
    secret = owner.page.locator("pre.secret")
    expect(secret).to_contain_text("serai_")
    owner.shot("keys-secret", [360])
    owner.tap(("I have it", "تم نسخه"))
    expect(secret).to_have_count(0)
    owner.see("Shop")
    owner.shot("keys")
    owner.tap(("Revoke", "إلغاء"))
    dialog.get_by_role("button", name=owner.word(("Revoke", "إلغاء")), exact=True).first.click()
    owner.see(("Ended", "منتهٍ"))


@BOTH
def test_x17_a_webhook_is_added_switched_off_and_removed(people, language):
    owner = people("carrepsa", language=language)
    owner.register(kind=("Sender", "مرسل"))
    owner.go("keys")
    owner.tap(("Add a webhook", "إضافة إشعار برمجي"))
    dialog = owner.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("shop.example")
    dialog.locator("button[type=submit]").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_role("textbox").fill("https://hooks.example.org/serai")
    dialog.locator("button[type=submit]").click()
    expect(owner.page.locator("pre.secret")).to_contain_text("whsec_")
    owner.tap(("I have it", "تم نسخه"))
    owner.tap("hooks.example.org", "link")
    owner.see(("Nothing was sent yet", "لم يُرسل شيء بعد"))
    owner.shot("webhook")
    switch = owner.page.get_by_role("switch", name=owner.word(("Tell this server", "إبلاغ هذا الخادم")))
    switch.click()
    owner.see(("You switched it off", "أوقفته بنفسك"))
    owner.tap(("Remove the webhook", "حذف الإشعار البرمجي"))
    dialog.get_by_role("button", name=owner.word(("Remove the webhook", "حذف الإشعار البرمجي"))).click()
    owner.see(("No server is told yet", "لا يُبلَّغ أي خادم بعد"))
