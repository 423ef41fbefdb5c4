import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Fines", ar: "الغرامات" },
  order: { en: "Order", ar: "الطلب" },
  state: { en: "State", ar: "الحالة" },
  unpaid: { en: "Unpaid", ar: "غير مدفوعة" },
  paid: { en: "Paid", ar: "مدفوعة" },
  account: { en: "Account", ar: "الحساب" },
  who: { en: "Of", ar: "على" },
  amount: { en: "Amount", ar: "المبلغ" },
  toProvider: { en: "To the provider", ar: "لمقدم الخدمة" },
  toPlatform: { en: "To the platform", ar: "للمنصة" },
  charged: { en: "Charged", ar: "تاريخها" },
  due: { en: "Due", ar: "موعد السداد" },
  none: { en: "No fines in these days", ar: "لا غرامات في هذه الأيام" },
  sum: { en: "Fines", ar: "الغرامات" },
  allAmount: { en: "Altogether", ar: "الإجمالي" },
  unpaidAmount: { en: "Unpaid", ar: "غير المدفوع" },
});
