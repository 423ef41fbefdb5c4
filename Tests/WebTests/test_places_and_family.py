"""I8, I9, X1: saved places and family links, by clicks, in both languages."""

import uuid

import pytest
from playwright.sync_api import expect

from paying import press_next
from test_parcels import choose_place

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


@BOTH
def test_x1_a_place_is_saved_and_deleted_with_an_undo(people, language):
    person = people("carrepsa", language=language)
    person.register(kind=("Sender", "مرسل"))
    person.tab(("Me", "حسابي"))
    person.tap(("Saved places", "المواقع المحفوظة"))
    person.see(("No saved location yet", "لا توجد مواقع محفوظة بعد"))
    person.shot("places-none")
    person.tap(("Add a location", "إضافة موقع"))
    press_next(person)
    expect(person.page.get_by_role("alert")).to_be_visible()
    choose_place(person, ("Place on the map", "المكان على الخريطة"))
    person.shot("place")
    press_next(person)
    row = person.page.get_by_role("listitem").filter(has_text=person.word(("Home", "المنزل")))
    expect(row).to_be_visible()
    person.shot("places")
    # A favourite one bears a star, and comes first where places are chosen.
    row.get_by_role("link").click()
    person.page.get_by_label(person.word(("Show it first", "إظهاره أولًا"))).check()
    press_next(person)
    expect(row.locator("use[href$='#star']")).to_have_count(1)
    # What was chosen lately is known, too, and can be forgotten.
    person.see(("Recent places", "الأماكن الأخيرة"))
    person.shot("places-recent")
    person.tap(("Forget all", "نسيان الكل"))
    expect(person.page.get_by_role("heading", name=person.word(("Recent places", "الأماكن الأخيرة")))).to_have_count(0)
    row.get_by_role("link").click()
    person.tap(("Delete the location", "حذف الموقع"))
    expect(row).to_have_count(0)
    person.tap(("Undo", "تراجع"))
    expect(row).to_be_visible()


@BOTH
def test_Q10_medical_words_in_a_saved_place_are_told_to_their_writer(people, language):
    person = people("edencare", language=language)
    person.register()
    person.go("places/add")
    choose_place(person, ("Place on the map", "المكان على الخريطة"))
    description = person.page.locator("textarea[name=description]")
    description.fill(person.word(("My father has diabetes", "والدي مصاب بالسكري")))
    press_next(person)
    expect(person.page.locator(".note.warning")).to_be_visible()
    person.shot("place-warned")
    person.go("places")
    person.see(("Please look at its text", "يرجى مراجعة نصه"))
    person.shot("places-warned")
    person.page.get_by_role("link", name=person.text(("Please look at its text", "يرجى مراجعة نصه"))).click()
    description.fill(person.word(("Second floor", "الطابق الثاني")))
    press_next(person)
    person.at(("Saved locations", "المواقع المحفوظة"))
    expect(person.page.get_by_text(person.word(("Please look at its text", "يرجى مراجعة نصه")))).to_have_count(0)


@BOTH
def test_i9_relatives_ask_agree_are_approved_and_part(people, language, desk):
    surname = f"Saleh{uuid.uuid4().hex[:6]}"
    daughter = people("edencare", language=language, name=f"Mona {surname}")
    father = people("edencare", language=language, name=f"Adam {surname}")
    daughter.register()
    father.register()
    daughter.go("family")
    daughter.at(("Family", "العائلة"))
    daughter.shot("family-none")
    daughter.tap(("Add a relative", "إضافة قريب"))
    daughter.page.locator("input[name=who]").fill(father.email)
    daughter.shot("family-ask")
    daughter.page.get_by_role("dialog").locator("button[type=submit]").click()
    daughter.see(("Waiting for the answer", "بانتظار الرد"))
    father.go("family")
    father.see(daughter.name)
    father.shot("family-asked")
    father.tap(("Agree", "موافقة"), exact=True)
    father.see(("We are looking at it", "قيد المراجعة لدينا"))
    desk.approve_link("edencare", daughter.name, father.name)
    daughter.page.reload()
    daughter.see(("Linked", "مرتبط"))
    daughter.shot("family")
    daughter.tap(("Remove the link", "إزالة الربط"))
    daughter.page.get_by_role("dialog").get_by_role("button", name=daughter.word(("Remove the link", "إزالة الربط")), exact=True).click()
    daughter.see(("No relative yet", "لا يوجد أقارب بعد"))
