import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Payments", ar: "المدفوعات" },
  state: { en: "State", ar: "الحالة" },
  method: { en: "Paid with", ar: "وسيلة الدفع" },
  order: { en: "Order", ar: "الطلب" },
  customer: { en: "Customer", ar: "العميل" },
  provider: { en: "Provider", ar: "مقدم الخدمة" },
  accountHint: { en: "Account", ar: "حساب" },
  amount: { en: "Amount", ar: "المبلغ" },
  discount: { en: "Discount", ar: "الخصم" },
  commission: { en: "Commission", ar: "العمولة" },
  refusal: { en: "Refused because", ar: "سبب الرفض" },
  at: { en: "When", ar: "متى" },
  none: { en: "No payments in these days", ar: "لا مدفوعات في هذه الأيام" },
  requested: { en: "Waits for the order", ar: "بانتظار الطلب" },
  due: { en: "To be paid", ar: "مستحق" },
  authorising: { en: "Asking the bank", ar: "بانتظار البنك" },
  held: { en: "Held", ar: "محجوز" },
  frozen: { en: "Waits for a decision", ar: "بانتظار قرار" },
  capturing: { en: "Being taken", ar: "قيد التحصيل" },
  captured: { en: "Paid", ar: "مدفوع" },
  releasing: { en: "Being given back", ar: "قيد الإرجاع" },
  released: { en: "Given back", ar: "أُعيد" },
  crediting: { en: "Going to the wallet", ar: "قيد التحويل إلى المحفظة" },
  credited: { en: "Given to the wallet", ar: "أُضيف إلى المحفظة" },
  closed: { en: "Ended unpaid", ar: "أُغلق دون دفع" },
  card: { en: "Card", ar: "بطاقة" },
  applePay: { en: "Apple Pay", ar: "Apple Pay" },
  googlePay: { en: "Google Pay", ar: "Google Pay" },
  payPal: { en: "PayPal", ar: "PayPal" },
  wallet: { en: "Wallet", ar: "المحفظة" },
  cash: { en: "Cash", ar: "نقدًا" },
  deskCash: { en: "Cash at the desk", ar: "نقدًا لدى المكتب" },
});
const some = (names: (keyof typeof words)[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, words[name]]));
export const stateNames = (): Record<string, string> =>
  some(["requested", "due", "authorising", "held", "frozen", "capturing", "captured", "releasing", "released", "crediting", "credited", "closed"]);
export const methodNames = (): Record<string, string> => some(["card", "applePay", "googlePay", "payPal", "wallet", "cash", "deskCash"]);
