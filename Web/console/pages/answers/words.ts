import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Ready answers", ar: "ردود جاهزة" },
  intro: { en: "For inquiries that come again and again. Whoever answers chooses one and changes it as needed", ar: "للاستفسارات المتكررة: يختار المجيب أحدها ويعدله عند الحاجة" },
  none: { en: "There is no ready answer yet", ar: "لا ردود جاهزة بعد" },
  name: { en: "Name", ar: "الاسم" },
  section: { en: "Section", ar: "القسم" },
  customers: { en: "Customers", ar: "العملاء" },
  providers: { en: "Providers", ar: "مقدمو الخدمة" },
  language: { en: "Language", ar: "اللغة" },
  english: { en: "English", ar: "الإنجليزية" },
  arabic: { en: "Arabic", ar: "العربية" },
  text: { en: "Text", ar: "النص" },
  changed: { en: "Changed", ar: "عُدّل" },
  add: { en: "New answer", ar: "رد جديد" },
  change: { en: "Change", ar: "تعديل" },
  remove: { en: "Remove", ar: "حذف" },
  removeTitle: { en: (name: string) => `Remove the answer ${name}`, ar: (name: string) => `حذف الرد ${name}` },
  removeText: { en: "What was answered with it stays", ar: "يبقى ما أُجيب به" },
});
