"""I13, I14, I15, A1: people who call, and colleagues who only read, in the console, in both languages."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from console import Operator, grant, invite

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


@BOTH
def test_I13_I15_somebody_is_found_by_number_and_logged_out_everywhere(people, operator, language):
    person = people("btnc", name=f"Mira T{uuid.uuid4().hex[:6]}")
    person.register()
    one = operator("btnc", language)
    search = one.page.locator("input[data-search]")
    search.fill(person.mobile)
    search.press("Enter")
    one.at(("People", "الأشخاص"))
    expect(one.row(person.name)).to_be_visible()
    expect(one.field(("Mobile or e-mail", "الجوال أو البريد"))).to_have_value(person.mobile)
    # A number stands in no address, which browsers keep.
    assert re.search(r"\d{6}", one.page.url) is None
    detail = one.open(person.name)
    detail.get_by_role("button", name=one.person.word(("Show where this person is logged in", "عرض الأجهزة المسجل دخولها"))).click()
    expect(detail.get_by_role("table")).to_be_visible()
    one.shot("person-devices")
    one.act(("Log out everywhere", "تسجيل الخروج من كل الأجهزة"))
    expect(detail).to_contain_text(one.person.word(("Not logged in anywhere", "لا يوجد تسجيل دخول على أي جهاز")))
    # The person's app learns it by itself.
    person.see(("Your session has ended", "انتهت جلستك"))
    person.tap(("Log out", "تسجيل الخروج"))
    person.go("me")
    person.at(("Log in", "تسجيل الدخول"))
    one.field(("Mobile or e-mail", "الجوال أو البريد")).fill("+61 400")
    one.field(("Mobile or e-mail", "الجوال أو البريد")).press("Enter")
    expect(one.row(person.name)).to_have_count(0)


@BOTH
def test_I13_a_master_admin_makes_support_by_address_and_it_reads_only(people, desk, operator, language):
    colleague = people("btnc", language=language, name=f"Su T{uuid.uuid4().hex[:6]}", width=1440)
    invite(colleague, desk)
    master = operator("btnc", language, rights="*")
    master.go("admins")
    give, email = ("Give rights", "منح صلاحيات"), ("E-mail", "البريد الإلكتروني")
    master.act(give, {email: colleague.email})
    expect(master.row(colleague.name)).to_contain_text(master.person.word(("Support", "دعم")))
    master.shot("admins")

    support = Operator(colleague)
    support.log_in()
    expect(support.page.locator(".rank")).to_have_text(colleague.word(("Support, reads only", "دعم، قراءة فقط")))
    support.go("people")
    support.filter(("Name", "الاسم"), colleague.name)
    detail = support.open(colleague.name)
    for act in (("Ban", "حظر"), ("Correct contacts", "تصحيح التواصل")):
        expect(detail.get_by_role("button", name=colleague.text(act, exact=True))).to_have_count(0)
    expect(detail).not_to_contain_text(colleague.email)
    support.shot("support-person")

    take = master.person.word(("Take the rights", "سحب الصلاحيات"))
    master.row(colleague.name).get_by_role("button", name=take).click()
    master.page.get_by_role("dialog").get_by_role("button", name=take).last.click()
    expect(master.row(colleague.name)).to_have_count(0)


def test_I13_rights_are_refused_where_nobody_has_confirmed_the_address(operator):
    master = operator("btnc", rights="*")
    master.go("admins")
    master.person.tap("Give rights")
    dialog = master.page.get_by_role("dialog")
    dialog.get_by_label(re.compile("^E-mail")).fill("nobody-at-all@example.com")
    dialog.get_by_role("button", name="Give rights").click()
    expect(dialog).to_contain_text("No account has confirmed this address")


def test_A1_support_sees_what_waits(people, desk):
    someone = people("btnc", name=f"Su T{uuid.uuid4().hex[:6]}", width=1440)
    grant(someone, desk, "btnc", rank="support")
    support = Operator(someone)
    support.log_in()
    with support.page.expect_response(lambda answer: "/identity/v1/markets/btnc/waiting" in answer.url) as counted:
        support.go("decisions")
    assert counted.value.status == 200
    support.at("Waits for a decision")
    assert someone.faults == []
