import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Feeds", ar: "مصادر الأخبار" },
  intro: { en: "News from RSS and Atom, asked for every quarter of an hour", ar: "أخبار من RSS وAtom تُجلب كل ربع ساعة" },
  none: { en: "No news are imported", ar: "لا تُستورد أي أخبار" },
  add: { en: "Add a feed", ar: "إضافة مصدر" },
  change: { en: "Change", ar: "تعديل" },
  changeTitle: { en: "Change the feed", ar: "تعديل المصدر" },
  remove: { en: "Remove", ar: "إزالة" },
  removeTitle: { en: (url: string) => `Import no more of ${url}`, ar: (url: string) => `إيقاف الاستيراد من ${url}` },
  removeText: { en: "Its news stay", ar: "تبقى أخباره" },
  url: { en: "Address", ar: "العنوان" },
  urlHint: { en: "https://…, the feed itself and not the page about it", ar: "https://…، عنوان المصدر نفسه لا الصفحة التي تصفه" },
  group: { en: "News", ar: "الأخبار" },
  local: { en: "Local", ar: "محلية" },
  world: { en: "World", ar: "عالمية" },
  language: { en: "Language", ar: "اللغة" },
  english: { en: "English", ar: "الإنجليزية" },
  arabic: { en: "Arabic", ar: "العربية" },
  found: { en: "What is found", ar: "ما يُستورد" },
  drafts: { en: "Becomes a draft", ar: "يصبح مسودة" },
  publishes: { en: "Is published at once", ar: "يُنشر فورًا" },
  active: { en: "Import news", ar: "استيراد الأخبار" },
  state: { en: "State", ar: "الحالة" },
  paused: { en: "Paused", ar: "متوقف" },
  waiting: { en: "Not read yet", ar: "لم يُقرأ بعد" },
  good: { en: "Read", ar: "قُرئ" },
  checked: { en: "Asked for", ar: "آخر جلب" },
});

/** Why a feed could not be read. */
export const faults = catalogue({
  address: { en: "The address is unknown, or not a public one", ar: "العنوان غير معروف أو ليس عامًا" },
  unreachable: { en: "No answer", ar: "لا استجابة" },
  status: { en: "The site refuses it", ar: "رفض الموقع الطلب" },
  "too-large": { en: "Too large", ar: "كبير جدًا" },
  encoding: { en: "Its encoding is not known", ar: "ترميزه غير معروف" },
  malformed: { en: "It is broken", ar: "غير سليم" },
  unknown: { en: "It is no feed", ar: "ليس مصدر أخبار" },
});
