"""H3, H6: without an account, pilgrims find places of a city and the way there; admins keep the list of places."""

import uuid

import pytest
from playwright.sync_api import expect

BOTH = pytest.mark.parametrize("language", ["en", "ar"])
FIND = ("Maps and routes", "الخرائط والطرق")
SEARCH = ("Search for a place", "ابحث عن مكان")
JAMARAT = ("Jamarat Bridge", "جسر الجمرات")


def places(people, language: str):
    """Somebody beside the Kaaba, without an account, at the map of places."""
    someone = people("hajji", language=language)
    someone.go("find")
    someone.at(FIND)
    return someone


@BOTH
def test_H3_a_place_is_found_by_name_and_the_way_there_is_shown(people, language):
    someone = places(people, language)
    someone.see(("The Kaaba", "الكعبة المشرفة"))
    expect(someone.page.locator(".map-pin").first).to_be_visible()
    someone.shot("find")
    # Any city is searched, in either script.
    someone.fill(SEARCH, "jamarat" if language == "ar" else "الجمرات")
    someone.named(JAMARAT, "link").first.click()
    someone.at(JAMARAT)
    someone.see(("Steps", "الخطوات"))
    someone.see(("You have arrived", "وصلت إلى وجهتك"))
    someone.see(("Turn left", "انعطف يسارًا"))
    someone.shot("find-way")
    # By car no engine is configured here: the direction, and the word that it is no more.
    someone.tap(("By car", "بالسيارة"))
    someone.see(("The line shows only the direction", "يبين الخط الاتجاه فقط"))
    someone.see(("toward the east", "باتجاه الشرق"))
    someone.shot("find-direction")


@BOTH
def test_H3_the_places_are_there_without_a_connection(people, language):
    someone = places(people, language)
    someone.see(("The Kaaba", "الكعبة المشرفة"))
    someone.offline()
    someone.fill(SEARCH, "مستشفى" if language == "ar" else "hospital")
    someone.see(("Al Noor Specialist Hospital", "مستشفى النور التخصصي"))
    someone.offline(False)


@BOTH
def test_H3_without_a_place_one_is_asked_to_select_it(people, language):
    someone = people("hajji", language=language)
    someone.go("find?to=")
    someone.see(("Please select the place that you want to find a route to", "يرجى اختيار المكان الذي تريد معرفة الطريق إليه"))
    someone.shot("find-select")
    someone.tap(("Select a place", "اختيار مكان"))
    someone.at(FIND)


@BOTH
def test_H3_an_admin_adds_a_place_and_it_is_found(people, operator, language):
    tag = uuid.uuid4().hex[:6]
    one = operator("hajji", language)
    one.go("places")
    one.at(("Places", "الأماكن"))
    one.shot("places")
    one.act(("Add a place", "إضافة مكان"), {
        ("Id", "المعرّف"): f"camp-{tag}", ("Name in English", "الاسم بالإنجليزية"): f"Camp {tag}", ("Name in Arabic", "الاسم بالعربية"): f"مخيم {tag}",
        ("Latitude", "خط العرض"): "21.4225", ("Longitude", "خط الطول"): "39.8300"})
    detail = one.open(tag)
    expect(detail).to_contain_text(one.person.name)
    one.shot("place")
    someone = places(people, language)
    someone.fill(SEARCH, tag)
    someone.see((f"Camp {tag}", f"مخيم {tag}"))
    one.act(("Change", "تعديل"), choose=("Hidden", "مخفي"))
    expect(detail).to_contain_text(one.person.word(("Hidden", "مخفي")))
    one.go("audit")
    expect(one.page.get_by_role("row").filter(has_text=f"camp-{tag}").first).to_contain_text(one.person.name)
