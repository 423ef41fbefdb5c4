"""A3: an admin writes a question in the console, and everybody reads its answer in the app once it is published. A4: the public
website."""

import os
import re
import uuid

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from desk import call
from person import Person

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


@pytest.mark.parametrize("language", ["en", "ar"])
def test_A4_the_website_of_a_market_is_read_without_a_program(browser, language):
    """Every page in each width, also where scripts are off; axe looks at the same pages where they are on."""
    off = browser.new_context(ignore_https_errors=True, java_script_enabled=False, locale=language)
    on = browser.new_context(ignore_https_errors=True, locale=language)
    try:
        page = off.new_page()
        # Without a language in the address the reader's is chosen.
        answer = page.goto(f"{os.environ['SERAI_URL']}/site/btnc")
        assert answer.status == 200 and page.url.endswith(f"/site/btnc/{language}")
        pages = page.get_by_role("navigation").get_by_role("link")
        names = pages.all_inner_texts()
        assert len(names) == 6
        addresses = [page.url]
        for index in range(1, len(names)):
            pages.nth(index).click()
            expect(pages.nth(index)).to_have_attribute("aria-current", "page")
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")
            addresses.append(page.url)
        assert len(set(addresses)) == 6
        page.goto(addresses[0] + "/nothing")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Page not found" if language == "en" else "الصفحة غير موجودة")

        seen = on.new_page()
        faults: list[str] = []
        seen.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        for address in addresses:
            seen.goto(address)
            assert seen.locator("script").count() == 0
            name = address.rsplit("/", 1)[-1]
            for width in (320, 768, 1280):
                seen.set_viewport_size({"width": width, "height": 800})
                wide = seen.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wide <= 0, f"{address} is {wide} pixels too wide at {width}"
                seen.screenshot(path=Person.pictures() / f"site-{name}-{language}-{width}.png", full_page=True)
            found = Axe().run(seen, options={"resultTypes": ["violations"]}).response["violations"]
            bad = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
            assert not bad, f"{address}: {bad}"
        assert faults == []
    finally:
        off.close()
        on.close()
