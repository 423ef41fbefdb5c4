import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Waits for a decision", ar: "بانتظار القرار" },
  intro: { en: "All that an admin of this market has to decide, the oldest first", ar: "كل ما على مشرفي هذا السوق البت فيه، الأقدم أولًا" },
  nothing: { en: "Nothing waits. Well done", ar: "لا شيء ينتظر. أحسنتم" },
  again: { en: "Count again", ar: "إعادة العد" },
  all: { en: (n: string) => `All ${n}`, ar: (n: string) => `الكل ${n}` },
  time: { en: "Another time is asked for", ar: "طلب موعد آخر" },
  asks: { en: (when: string) => `asks for ${when}`, ar: (when: string) => `يطلب ${when}` },
});
