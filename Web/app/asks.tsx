import type { Component } from "preact";
import { useCell } from "../shared/cell";
import { to } from "../shared/router";
import { modesIn, useMarket } from "../shared/market";
import { session } from "../shared/session";
import { Note } from "../shared/ui";
import { catalogue } from "../shared/words";

const words = catalogue({
  password: { en: "Please choose a new password: yours is older than a year", ar: "يرجى اختيار كلمة مرور جديدة، فقد مضى على كلمتك أكثر من عام" },
  mobile: { en: "Your mobile number belongs to another account now. Enter yours", ar: "أصبح رقم جوالك لحساب آخر. أدخل رقمك" },
  terms: { en: "There are terms that you have not accepted yet. Please read them", ar: "هناك شروط لم توافق عليها بعد. يرجى قراءتها" },
  factor: { en: "Your rights need a second factor at the log-in. Set it up", ar: "صلاحياتك تتطلب عاملًا ثانيًا عند الدخول. يرجى إعداده" },
  birthDate: { en: "Please tell your date of birth", ar: "يرجى ذكر تاريخ ميلادك" },
  address: { en: "Please save your address", ar: "يرجى حفظ عنوانك" },
  billing: { en: "Please tell your billing address", ar: "يرجى ذكر عنوان الفوترة" },
  noRole: { en: "Your account is not used here yet", ar: "حسابك غير مفعّل هنا بعد" },
  join: { en: "Join", ar: "انضمام" },
  now: { en: "Do it now", ar: "القيام بذلك الآن" },
});

/** What the services ask the owner of the account to do; at the top of each mode's first screen. */
export const Asks: Component = () => {
  const { asks, roles } = useCell(session);
  const { id, market } = useMarket();
  const known: [string, string, string][] = [
    ["change-password", words.password, "me/password"], ["mobile", words.mobile, "me/mobile"], ["second-factor", words.factor, "me/factor"],
    ["terms", words.terms, "me/terms"], ["birth-date", words.birthDate, "me/profile"], ["address", words.address, "places"],
    ["billing-address", words.billing, "me/billing"],
  ];
  return (
    <>
      {market && modesIn(id, roles).length === 0 && <Note>{words.noRole} <a href={to("me/role")}>{words.join}</a></Note>}
      {known.filter(([name]) => asks.includes(name)).map(([name, text, path]) => <Note key={name} tone="warning">{text} <a href={to(path)}>{words.now}</a></Note>)}
    </>
  );
};
