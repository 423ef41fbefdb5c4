import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Professions", ar: "المهن" },
  intro: { en: "Professions that Nafath named and the market does not know. Until you decide, these people are customers", ar: "مهن سمّاها نفاذ ولا يعرفها السوق. هؤلاء عملاء حتى تقرر" },
  name: { en: "Who", ar: "من" },
  job: { en: "Profession", ar: "المهنة" },
  since: { en: "Asked", ar: "تاريخ الطلب" },
  none: { en: "No profession is unknown", ar: "لا مهنة مجهولة" },
  decide: { en: "Decide", ar: "اتخاذ قرار" },
  text: { en: (job: string) => `Nafath says: ${job}`, ar: (job: string) => `يقول نفاذ: ${job}` },
  as: { en: "Works as", ar: "يعمل بصفة" },
  noTitle: { en: "No title of this market", ar: "ليست من مهن هذا السوق" },
});
