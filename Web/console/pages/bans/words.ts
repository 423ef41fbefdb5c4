import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Bans", ar: "الحظر" },
  name: { en: "Who", ar: "من" },
  reason: { en: "Reason", ar: "السبب" },
  until: { en: "Until", ar: "حتى" },
  forEver: { en: "For ever", ar: "للأبد" },
  since: { en: "Since", ar: "منذ" },
  by: { en: "By", ar: "بواسطة" },
  none: { en: "Nobody is banned", ar: "لا أحد محظور" },
  where: { en: "Where", ar: "أين" },
  here: { en: "In this market", ar: "في هذا السوق" },
  everywhere: { en: "In all markets", ar: "في جميع الأسواق" },
});
