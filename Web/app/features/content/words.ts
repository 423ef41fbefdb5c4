import { catalogue } from "../../../shared/words";

export const words = catalogue({
  about: { en: "About us", ar: "من نحن" },
  privacy: { en: "Privacy policy", ar: "سياسة الخصوصية" },
  terms: { en: "Terms and conditions", ar: "الشروط والأحكام" },
  faq: { en: "Questions and answers", ar: "الأسئلة الشائعة" },
  news: { en: "News", ar: "الأخبار" },
  fatawa: { en: "Fatawa", ar: "الفتاوى" },
  rituals: { en: "Rituals", ar: "المناسك" },
  contacts: { en: "Important contacts", ar: "أرقام مهمة" },
  none: { en: "Nothing here yet", ar: "لا شيء هنا بعد" },
  local: { en: "Local", ar: "محلية" },
  world: { en: "World", ar: "عالمية" },
  emergencies: { en: "Emergencies", ar: "الطوارئ" },
  hospitals: { en: "Hospitals", ar: "المستشفيات" },
  other: { en: "Other", ar: "أخرى" },
});
