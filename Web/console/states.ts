import type { Admin } from "api-types";
import { catalogue } from "../shared/words";

const names = catalogue({
  pending: { en: "Waiting for payment", ar: "بانتظار الدفع" },
  requested: { en: "Requested", ar: "مطلوب" },
  offered: { en: "Offered", ar: "معروض" },
  accepted: { en: "Accepted", ar: "مقبول" },
  preparing: { en: "Being prepared", ar: "قيد التحضير" },
  enRoute: { en: "On the way", ar: "في الطريق" },
  arrived: { en: "Arrived", ar: "تم الوصول" },
  inProgress: { en: "In progress", ar: "قيد التنفيذ" },
  completed: { en: "Completed", ar: "مكتمل" },
  cancelled: { en: "Cancelled", ar: "ملغى" },
  refused: { en: "Refused", ar: "مرفوض" },
  expired: { en: "Expired", ar: "منتهي المهلة" },
  disputed: { en: "Disputed", ar: "محل بلاغ" },
});

export const orderStates = Object.keys(names) as Admin.OrderState[];
/** What a state is called; one that this version does not know stands as it is. */
export const stateName = (state: string): string => (names as Record<string, string>)[state] ?? state;
export const isOpen = (state: string): boolean => !["completed", "cancelled", "refused", "expired"].includes(state);
export const stateTone = (state: string): "good" | "warning" | "danger" | "neutral" | "accent" =>
  state === "completed" ? "good" : state === "disputed" ? "danger" : state === "cancelled" || state === "refused" || state === "expired" ? "neutral" : state === "pending" || state === "requested" ? "warning" : "accent";

const parties = catalogue({
  customer: { en: "Customer", ar: "العميل" },
  provider: { en: "Provider", ar: "مقدم الخدمة" },
  merchant: { en: "Restaurant", ar: "المطعم" },
  admin: { en: "Admin", ar: "المشرف" },
  system: { en: "The platform", ar: "المنصة" },
  platform: { en: "The platform", ar: "المنصة" },
  asking: { en: "The friend who asked for it", ar: "الصديق الذي طلب الصداقة" },
  asked: { en: "The friend who was asked", ar: "الصديق الذي طُلبت منه الصداقة" },
});

const ofGroup = catalogue({
  leader: { en: "Leader of the group", ar: "قائد المجموعة" },
  member: { en: (number: string) => `Member ${number} of the group`, ar: (number: string) => `العضو ${number} في المجموعة` },
});

export const partyName = (party: string): string => {
  const member = /^member-(\d+)$/.exec(party);
  return member ? ofGroup.member(member[1]) : party === "leader" ? ofGroup.leader : (parties as Record<string, string>)[party] ?? party;
};
