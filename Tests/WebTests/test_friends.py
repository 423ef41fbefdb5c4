"""H5, I9, I10: friends of the pilgrims' market ask, agree, show each other where they are, and part. They need no market, only an account."""

import pytest
from playwright.sync_api import expect

from person import Person

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


def friends(person: Person) -> None:
    person.page.goto("/hajji/friends")
    person.at(("Friends", "الأصدقاء"))


@BOTH
def test_H5_I9_I10_friends_ask_agree_share_their_place_and_part(people, language):
    # Their numbers are proved: that market confirms by SMS.
    omar, laila = (people("carrepsa", language=language, name=name) for name in ("Omar Saleh", "Laila Noor"))
    for person in (omar, laila):
        person.register(kind=("Sender", "مرسل"))
        friends(person)
    omar.shot("friends-none")
    omar.tap(("Add a friend", "إضافة صديق"))
    omar.page.locator("input[name=mobile]").fill("+96650")
    omar.tap(("Ask", "إرسال الطلب"), exact=True)
    expect(omar.page.get_by_role("alert")).to_be_visible()
    omar.shot("friends-add-wrong", [360])
    omar.page.locator("input[name=mobile]").fill(laila.mobile)
    omar.tap(("Ask", "إرسال الطلب"), exact=True)
    omar.see(("Your friend is asked", "تم إرسال الطلب إلى صديقك"))

    laila.page.reload()
    laila.see(omar.name)
    laila.shot("friends-asked")
    laila.tap(("Agree", "موافقة"), exact=True)
    laila.see(("You are friends now", "أصبحتما صديقين"))
    laila.tap(("Share my place", "مشاركة موقعي"))
    laila.see(("Your friends see where you are", "يرى أصدقاؤك مكانك"))

    omar.page.reload()
    omar.page.get_by_role("link", name=laila.name).click()
    omar.at(laila.name)
    expect(omar.page.locator(".map-pin")).to_be_visible()
    expect(omar.page.get_by_role("link", name=omar.word(("The way there", "الطريق إليه")))).to_be_visible()
    omar.shot("friend")

    laila.tap(("Stop sharing", "إيقاف المشاركة"))
    laila.see(("Nobody sees your place any more", "لم يعد أحد يرى موقعك"))
    omar.page.reload()
    omar.see(("Shares no place now", "لا يشارك موقعه الآن"))
    omar.tap(("Remove from friends", "إزالة من الأصدقاء"))
    omar.page.get_by_role("dialog").get_by_role("button", name=omar.word(("Remove from friends", "إزالة من الأصدقاء"))).click()
    omar.see(("No friends here yet", "لا يوجد أصدقاء بعد"))
