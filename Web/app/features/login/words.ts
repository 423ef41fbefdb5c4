import { catalogue } from "../../../shared/words";

export const words = catalogue({
  title: { en: "Log in", ar: "تسجيل الدخول" },
  logIn: { en: "Log in", ar: "تسجيل الدخول" },
  logOut: { en: "Log out", ar: "تسجيل الخروج" },
  name: { en: "E-mail or mobile number", ar: "البريد الإلكتروني أو رقم الجوال" },
  password: { en: "Password", ar: "كلمة المرور" },
  forgot: { en: "Forget your password", ar: "نسيت كلمة المرور" },
  create: { en: "Create account", ar: "إنشاء حساب" },
  factorTitle: { en: "Enter the code", ar: "أدخل الرمز" },
  factorText: {
    en: "Open your authenticator app and type its six digits, or use a recovery code",
    ar: "افتح تطبيق المصادقة وأدخل الأرقام الستة أو استخدم رمز استرداد",
  },
  factor: { en: "Code", ar: "الرمز" },
  go: { en: "Continue", ar: "متابعة" },
  nafath: { en: "Sign in with Nafath", ar: "الدخول عبر نفاذ" },
  nafathText: { en: "With your National ID or Iqama", ar: "بهويتك الوطنية أو إقامتك" },
  otherwise: { en: "Log in with a password", ar: "الدخول بكلمة المرور" },
  forgotTitle: { en: "Forget your password", ar: "نسيت كلمة المرور" },
  forgotText: {
    en: "We send you a link by e-mail, or by SMS where you have shown your number alone. With it you choose a new password",
    ar: "نرسل إليك رابطًا لاختيار كلمة مرور جديدة عبر البريد الإلكتروني، أو برسالة نصية إن كنت قد أثبت رقمك فقط",
  },
  sendLink: { en: "Send the link", ar: "إرسال الرابط" },
  sentTitle: { en: "Look into your messages", ar: "راجع رسائلك" },
  sentText: {
    en: "If there is an account with this name, a link is on its way. It is good for an hour",
    ar: "إن وُجد حساب بهذا الاسم فالرابط في طريقه إليك، وهو صالح لمدة ساعة",
  },
  toLogIn: { en: "Back to the log-in", ar: "العودة إلى تسجيل الدخول" },
  finishing: { en: "Finishing the sign-in", ar: "جارٍ إكمال الدخول" },
  nafathFailed: { en: "The sign-in was not finished", ar: "لم يكتمل الدخول" },
  nafathAgain: { en: "Begin again", ar: "البدء من جديد" },
  ownerTitle: { en: "Is this account yours?", ar: "هل هذا الحساب لك؟" },
  ownerText: {
    en: "An account has your mobile number already. Show that it is yours, and it is linked to Nafath",
    ar: "يوجد حساب برقم جوالك. أثبت أنه لك ليُربط بنفاذ",
  },
  byCode: { en: "Send a code by SMS", ar: "إرسال رمز برسالة نصية" },
  byPassword: { en: "With the password", ar: "بكلمة المرور" },
  smsCode: { en: "Code of the SMS", ar: "رمز الرسالة النصية" },
});
