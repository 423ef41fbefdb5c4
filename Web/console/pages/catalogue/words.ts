import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Catalogue", ar: "الخدمات" },
  intro: { en: "What the market sells, in the language of this page, and who may do it", ar: "ما يبيعه السوق بلغة هذه الصفحة ومن يمكنه تقديمه" },
  service: { en: "Service", ar: "الخدمة" },
  brief: { en: "Description", ar: "الوصف" },
  titles: { en: "Done by", ar: "يقدمها" },
  price: { en: "Price", ar: "السعر" },
  minutes: { en: "Minutes", ar: "الدقائق" },
  noPrice: { en: "Providers set it", ar: "يحدده مقدمو الخدمة" },
  prices: { en: "Prices are in the settings", ar: "الأسعار في الإعدادات" },
  none: { en: "The market sells no services: its orders are priced by tariffs", ar: "لا يبيع السوق خدمات، وتُسعّر طلباته بالتعرفات" },
  works: { en: "Titles", ar: "المهن" },
  reasons: { en: "Reasons of reports", ar: "أسباب البلاغات" },
  parties: { en: "For", ar: "لمن" },
  reason: { en: "Reason", ar: "السبب" },
  states: { en: "What states are called", ar: "أسماء الحالات" },
  state: { en: "State", ar: "الحالة" },
  toCustomer: { en: "To customers", ar: "للعملاء" },
  toProvider: { en: "To providers", ar: "لمقدمي الخدمة" },
});
