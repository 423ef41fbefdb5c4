import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Search", ar: "البحث" },
  for: { en: (text: string) => `Search: ${text}`, ar: (text: string) => `البحث: ${text}` },
  nothing: { en: "Nothing was found", ar: "لم يُعثر على شيء" },
  hint: { en: "Type a part of a name, a whole e-mail address or mobile number with +, or the whole number of an order, person, cash-out, report or payment", ar: "اكتب جزءًا من اسم، أو بريدًا إلكترونيًا أو رقم جوال كاملًا يبدأ بـ +، أو الرقم الكامل لطلب أو شخص أو سحب أو بلاغ أو دفعة" },
  order: { en: "Order", ar: "طلب" },
  cashout: { en: "Cash-out", ar: "سحب" },
  report: { en: "Report", ar: "بلاغ" },
  person: { en: "Person", ar: "شخص" },
  what: { en: "What", ar: "النوع" },
  found: { en: "Found", ar: "النتيجة" },
});
