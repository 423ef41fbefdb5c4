import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import type { Identity } from "api-types";
import { Form, PhotoField, Submit, useForm } from "../../../shared/forms";
import { date } from "../../../shared/format";
import { invalidate, useGet } from "../../../shared/resources";
import { place, to } from "../../../shared/router";
import { renewRoles } from "../../../shared/session";
import { catalogue, localized } from "../../../shared/words";
import { Badge, Button, Empty, List, Loaded, Note, Screen, Section, Sheet, toast } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Detail, useSignUp } from "../../signup";
import { DetailFields, detailsBody, emptyDetails, nameOfChoice, nameOfDetail, wrongDetails } from "../register/details";

const words = catalogue({
  title: { en: "Papers and details", ar: "الأوراق والبيانات" },
  papers: { en: "Papers", ar: "الأوراق" },
  details: { en: "Details", ar: "البيانات" },
  missing: { en: "Missing", ar: "ناقص" },
  optional: { en: "Optional", ar: "اختياري" },
  waiting: { en: "Being checked", ar: "قيد التحقق" },
  verified: { en: "Verified", ar: "تم التحقق" },
  rejected: { en: "Rejected", ar: "مرفوض" },
  lapsed: { en: "Expired", ar: "منتهية الصلاحية" },
  holdsUntil: { en: (day: string) => `Holds until ${day}`, ar: (day: string) => `سارية حتى ${day}` },
  expiredOn: { en: (day: string) => `Expired on ${day}. Send the new one`, ar: (day: string) => `انتهت في ${day}. أرسل الجديدة` },
  expiresSoon: { en: (day: string) => `Expires on ${day}. Send the new one in time`, ar: (day: string) => `تنتهي في ${day}. أرسل الجديدة قبل ذلك` },
  choose: { en: "Take a photo or choose a file", ar: "التقط صورة أو اختر ملفًا" },
  allHere: { en: "Everything is here. An admin checks it, and you hear of it in your inbox", ar: "اكتمل كل شيء. سيتحقق المشرف منه وتصلك النتيجة في الإشعارات" },
  bring: { en: "Please send what is missing, so that an admin can check it", ar: "يرجى إرسال ما ينقص ليتحقق منه المشرف" },
  youAre: { en: "You are verified", ar: "تم التحقق منك" },
  change: { en: "Change the details", ar: "تعديل البيانات" },
  changed: { en: "The details are changed", ar: "تم تعديل البيانات" },
  checkedAgain: { en: "After a change an admin checks you again, and until then no new orders come", ar: "بعد التعديل يتحقق المشرف مجددًا، ولن تصلك طلبات جديدة حتى ذلك الحين" },
  save: { en: "Save", ar: "حفظ" },
  none: { en: "Nothing is asked of you here", ar: "لا يُطلب منك شيء هنا" },
  askAgain: { en: "Ask again", ar: "تقديم الطلب مجددًا" },
});
const tones = { waiting: "warning", verified: "good", rejected: "danger", lapsed: "danger" } as const;

type Papers = Identity.Papers;

/** Changes what was typed in, as a whole. */
const ChangeSheet: Component<{ market: string; title?: string; papers: Papers; details: Detail[]; onClose: () => void }> = ({ market, title, papers, details, onClose }) => {
  const form = useForm<Record<string, string>, Papers>({
    initial: emptyDetails(details, papers.details),
    check: (values) => wrongDetails(details, values),
    send: (values) => api.put("/identity/v1/accounts/me/providers/{market}/details", { market, title }, { details: { ...papers.details, ...detailsBody(details, values) } }),
    done: () => {
      invalidate("papers");
      void renewRoles().catch(() => undefined);
      toast(words.changed);
      onClose();
    },
  });
  return (
    <Sheet title={words.change} onClose={onClose}>
      <Form form={form} label={words.change}>
        {papers.provider.state === "verified" && <Note tone="warning">{words.checkedAgain}</Note>}
        <DetailFields form={form} details={details} />
        <Submit form={form}>{words.save}</Submit>
      </Form>
    </Sheet>
  );
};

const month = 30 * 86_400_000;

/** The last day on which a paper holds, and what to do when it is near. */
const Expiry: Component<{ day: string; isOver: boolean }> = ({ day, isOver }) => {
  const name = date(`${day}T12:00:00Z`);
  if (isOver) return <Note tone="danger">{words.expiredOn(name)}</Note>;
  return Date.parse(day) - Date.now() < month ? <Note tone="warning">{words.expiresSoon(name)}</Note> : <p class="muted small">{words.holdsUntil(name)}</p>;
};

/** What a provider brings before he may work: each paper with how it stands. The address names one of two titles. */
const Papers: Component<ScreenProperties> = ({ params }) => {
  const { market } = place.get();
  const title = params.rest || undefined;
  const papers = useGet("/identity/v1/accounts/me/providers/{market}", { market, title }, ["papers"]);
  const [chosen, setChosen] = useState<Record<string, Blob>>({});
  const [isChanging, setChanging] = useState(false);
  const details = useSignUp().value?.roles.find((rule) => rule.role === "provider" && rule.title === papers.value?.provider.title)?.details ?? [];
  const send = async (kind: string, file: Blob): Promise<void> => {
    setChosen((old) => ({ ...old, [kind]: file }));
    try {
      await api.put("/identity/v1/accounts/me/providers/{market}/documents/{document}", { market, document: kind }, file);
      await papers.reload();
    } catch (error) {
      setChosen(({ [kind]: _, ...rest }) => rest);
      toast(textOf(error));
    }
  };
  return (
    <Screen key={title} title={words.title} back="me">
      <Loaded of={papers}>
        {(found) => {
          const stand = found.provider.state;
          const lacks = found.asked.some((one) => one.required && !found.documents.some((paper) => paper.kind === one.kind && paper.state !== "rejected" && paper.state !== "lapsed"));
          return (
            <>
              {stand === "verified" ? <Note tone="good">{words.youAre}</Note>
                : stand === "rejected" ? <Note tone="danger">{words.rejected}{found.provider.reason && <>: <bdi>{found.provider.reason}</bdi></>}</Note>
                : <Note tone={lacks ? "warning" : "info"}>{lacks ? words.bring : words.allHere}</Note>}
              {stand === "rejected" && <Button kind="second" icon="refresh" href={to(`me/role?as=${found.provider.title ?? ""}`)}>{words.askAgain}</Button>}
              {found.asked.length === 0 && !found.details && <Empty icon="document" title={words.none} />}
              {found.asked.length > 0 && (
                <Section title={words.papers}>
                  <div class="stack">
                    {found.asked.map((one) => {
                      const papers = found.documents.filter((document) => document.kind === one.kind);
                      const paper = papers[papers.length - 1];
                      const valid = papers.filter((document) => document.expiresOn).pop();
                      return (
                        <div key={one.kind} class="stack tight">
                          {paper?.reason && <Note tone="danger"><bdi>{paper.reason}</bdi></Note>}
                          <PhotoField label={localized(one.name)} hint={words.choose} value={chosen[one.kind]} pdf
                            end={paper ? <Badge tone={tones[paper.state]}>{words[paper.state]}</Badge> : <Badge>{one.required ? words.missing : words.optional}</Badge>}
                            onChoose={(file) => void send(one.kind, file)} />
                          {valid?.expiresOn && <Expiry day={valid.expiresOn} isOver={valid.state === "lapsed"} />}
                        </div>
                      );
                    })}
                  </div>
                </Section>
              )}
              {found.details && (
                <Section title={words.details}>
                  <List label={words.details}>
                    {Object.entries(found.details).map(([name, value]) => (
                      <li key={name} class="row"><span class="row-text"><span class="row-detail">{nameOfDetail(details, name)}</span><span class="row-title"><bdi>{nameOfChoice(details, name, value)}</bdi></span></span></li>
                    ))}
                  </List>
                  {details.length > 0 && <Button kind="second" icon="edit" onTap={() => setChanging(true)}>{words.change}</Button>}
                  {isChanging && <ChangeSheet market={market} title={title} papers={found} details={details} onClose={() => setChanging(false)} />}
                </Section>
              )}
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
};

export default Papers;
