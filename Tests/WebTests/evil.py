"""What somebody types who wants it to be more than a text, and whether it is one on somebody's screen."""

from person import Person

IMAGE = "<img src=x onerror=alert(1)>"
SCRIPT = '"><script>alert(2)</script>'
# Turns the direction of what follows, where nothing keeps it inside.
TURNED = "\u202eexe.gpj"
ALL = f"{IMAGE} {SCRIPT} {TURNED}"

# Texts with the turning mark that are no unit of their own: neither in a `bdi` or an element with a direction, nor alone in their block.
LOOSE = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (let node; (node = walk.nextNode());) {
    if (!node.data.includes("\\u202e") || node.parentElement.closest("bdi, [dir]:not(html), textarea, script")) continue;
    let block = node.parentElement;
    while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    if (block.textContent.trim() !== node.data.trim()) found.push(block.textContent.trim());
  }
  return found;
}"""


def listen(*persons: Person) -> None:
    """From now on a question over the page and an error of the console are faults, too; a refusal of the services is none."""
    for person in persons:
        person.page.on("dialog", lambda dialog, person=person: (person.faults.append(dialog.message), dialog.dismiss()))
        person.page.on("console", lambda message, person=person: person.faults.append(message.text)
                       if message.type == "error" and not message.text.startswith("Failed to load resource") else None)


def is_text(person: Person) -> None:
    """Nothing of it has become a picture or a program, or has turned what stands beside it."""
    assert person.page.locator("img[src=x], body script:not([src])").count() == 0
    assert person.page.evaluate(LOOSE) == []
    assert person.faults == []
