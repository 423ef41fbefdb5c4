"""A3: an admin writes a question in the console, and everybody reads its answer in the app once it is published."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from desk import call

PAGES = "/admin/v1/markets/edencare/pages/faq"


@pytest.mark.parametrize("language", ["en", "ar"])
def test_A3_a_question_is_written_published_changed_and_withdrawn(people, operator, language):
    tag = uuid.uuid4().hex[:6]
    one = operator("edencare", language)
    one.go("content/faq")
    one.act(("Add", "إضافة"), {
        ("Question · English", "السؤال · الإنجليزية"): f"Who comes {tag}?", ("Question · Arabic", "السؤال · العربية"): f"من يأتي {tag}؟",
        ("Answer · English", "الجواب · الإنجليزية"): "A **nurse**. <b>Always</b>", ("Answer · Arabic", "الجواب · العربية"): "**ممرضة**. <b>دائمًا</b>"})
    one.open(tag)
    one.shot("content-entry")
    assert tag not in str(call("GET", PAGES))
    one.act(("Publish", "نشر"))
    detail = one.page.locator("aside.detail")
    expect(detail.get_by_role("button", name=one.person.text(("Withdraw", "سحب"), exact=True))).to_be_visible()

    reader = people("edencare", language=language)
    reader.go("help/faq")
    main = reader.page.get_by_role("main")
    expect(main).to_contain_text(tag)
    expect(main.locator("strong").filter(has_text=reader.text(("nurse", "ممرضة"))).first).to_be_visible()
    # What looks like HTML is text.
    expect(main).to_contain_text("<b>")
    reader.shot("content-questions")

    one.act(("Change", "تعديل"), {("Question · English", "السؤال · الإنجليزية"): f"Who else {tag}?"})
    expect(detail).to_contain_text(f"Who else {tag}?")
    assert f"Who else {tag}" not in str(call("GET", PAGES))
    one.act(("Withdraw", "سحب"))
    expect(one.page.get_by_role("row").filter(has_text=re.compile(tag)).first).to_contain_text(one.person.word(("Draft", "مسودة")))
    assert tag not in str(call("GET", PAGES))
