import { catalogue, count } from "../../../shared/words";

export const words = catalogue({
  // Services.
  choose: { en: "What do you need?", ar: "ما الخدمة التي تحتاج إليها؟" },
  about: { en: (service: string) => `About ${service}`, ar: (service: string) => `تفاصيل ${service}` },
  instructions: { en: "Instructions", ar: "التعليمات" },
  requirements: { en: "Requirements", ar: "المتطلبات" },
  takes: { en: (time: string) => `About ${time}`, ar: (time: string) => `نحو ${time}` },
  priceByProvider: { en: "Each provider sets the price", ar: "السعر يحدده مقدم الخدمة" },
  next: { en: "Next", ar: "التالي" },
  add: { en: "Choose", ar: "اختيار" },
  remove: { en: "Leave out", ar: "إلغاء الاختيار" },
  chosen: {
    en: (n: number) => count.en(n, { one: "# service", other: "# services" }),
    ar: (n: number) => count.ar(n, { one: "خدمة واحدة", two: "خدمتان", few: "# خدمات", many: "# خدمة", other: "# خدمة" }),
  },
  nothing: { en: "Choose a service first", ar: "اختر خدمة أولًا" },
  toServices: { en: "See the services", ar: "عرض الخدمات" },

  // Place.
  where: { en: "Where?", ar: "أين؟" },
  place: { en: "Place of the visit", ar: "مكان الزيارة" },
  choosePlace: { en: "Choose the place", ar: "اختيار المكان" },
  change: { en: "Change", ar: "تغيير" },
  services: { en: "Services", ar: "الخدمات" },
});
