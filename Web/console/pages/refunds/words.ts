import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Refunds", ar: "المبالغ المردودة" },
  intro: { en: "A refund is made on its order's page", ar: "يُرد المبلغ من صفحة الطلب" },
  order: { en: "Order", ar: "الطلب" },
  state: { en: "State", ar: "الحالة" },
  asked: { en: "Asked at the bank", ar: "طُلب من البنك" },
  made: { en: "Made", ar: "تم" },
  fundedBy: { en: "Paid by", ar: "على حساب" },
  platform: { en: "The platform", ar: "المنصة" },
  provider: { en: "The provider", ar: "مقدم الخدمة" },
  merchant: { en: "The restaurant", ar: "المطعم" },
  hold: { en: "What was held", ar: "المبلغ المحجوز" },
  to: { en: "To", ar: "إلى" },
  wallet: { en: "Wallet", ar: "المحفظة" },
  card: { en: "Card", ar: "البطاقة" },
  customer: { en: "Customer", ar: "العميل" },
  reason: { en: "Reason", ar: "السبب" },
  amount: { en: "Amount", ar: "المبلغ" },
  at: { en: "When", ar: "متى" },
  none: { en: "No refunds in these days", ar: "لا مبالغ مردودة في هذه الأيام" },
});
