import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Commissions", ar: "العمولات" },
  now: { en: "Now", ar: "الآن" },
  ofOrders: { en: "Of orders", ar: "من الطلبات" },
  ofFines: { en: "The platform's share of fines", ar: "حصة المنصة من الغرامات" },
  change: { en: "Change it in the settings", ar: "تعديلها من الإعدادات" },
  applied: { en: "Applied", ar: "المطبقة" },
  party: { en: "From", ar: "من" },
  rate: { en: "Rate", ar: "النسبة" },
  payments: { en: "Payments", ar: "المدفوعات" },
  revenue: { en: "Revenue", ar: "الإيرادات" },
  commission: { en: "Commission", ar: "العمولة" },
  none: { en: "Nothing was paid in these days", ar: "لم يُدفع شيء في هذه الأيام" },
});
