import { catalogue } from "../../../shared/words";

export const words = catalogue({
  howOften: { en: "How often", ar: "كم مرة" },
  daily: { en: "Each day", ar: "كل يوم" },
  weekly: { en: "Each week", ar: "كل أسبوع" },
  monthly: { en: "Each month", ar: "كل شهر" },
  firstDay: { en: "First day", ar: "أول يوم" },
  atTime: { en: "Posted at", ar: "وقت النشر" },
  untilDay: { en: "Last day (optional)", ar: "آخر يوم (اختياري)" },
  payBy: { en: "Paid by", ar: "الدفع عبر" },
  byWallet: { en: "Wallet", ar: "المحفظة" },
  byCard: { en: (brand: string, digits: string) => `${brand} …${digits}`, ar: (brand: string, digits: string) => `${brand} …${digits}` },
  consent: { en: (price: string) => `This card may be charged ${price} for each parcel`, ar: (price: string) => `أوافق على خصم ${price} من هذه البطاقة لكل طرد` },
  addCard: { en: "Add a card", ar: "إضافة بطاقة" },
});
