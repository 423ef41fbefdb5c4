import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Subscription", ar: "الاشتراك" },
  none: { en: "You have no subscription", ar: "ليس لديك اشتراك" },
  isRequired: { en: "Work here is given to subscribed providers only", ar: "العمل هنا متاح للمشتركين فقط" },
  active: { en: (day: string) => `Subscribed until ${day}`, ar: (day: string) => `مشترك حتى ${day}` },
  expired: { en: (day: string) => `Your subscription ended on ${day}`, ar: (day: string) => `انتهى اشتراكك في ${day}` },
  renews: { en: "Renew by itself", ar: "التجديد التلقائي" },
  renewsCard: { en: (amount: string) => `${amount} is charged to your card when the period ends`, ar: (amount: string) => `يُخصم ${amount} من بطاقتك عند انتهاء المدة` },
  renewsWallet: { en: (amount: string) => `${amount} is taken from your wallet when the period ends`, ar: (amount: string) => `يُخصم ${amount} من محفظتك عند انتهاء المدة` },
  renewsOff: { en: "It ends by itself", ar: "ينتهي تلقائيًا" },
  plans: { en: "Plans", ar: "الباقات" },
  noPlans: { en: "There is no plan to choose now", ar: "لا توجد باقات متاحة حاليًا" },
  monthly: { en: "a month", ar: "في الشهر" },
  yearly: { en: "a year", ar: "في السنة" },
  buy: { en: (amount: string) => `Subscribe for ${amount}`, ar: (amount: string) => `اشترك مقابل ${amount}` },
  chargedNow: { en: "The price is charged now. The period begins at once, or when the present one ends", ar: "يُخصم السعر الآن. تبدأ المدة فورًا أو بعد انتهاء المدة الحالية" },
  renewOption: { en: "Renew by itself when the period ends", ar: "التجديد تلقائيًا عند انتهاء المدة" },
  done: { en: "You are subscribed", ar: "تم الاشتراك" },
  current: { en: "Your plan", ar: "باقتك" },
  saved: { en: "Saved", ar: "تم الحفظ" },
});
