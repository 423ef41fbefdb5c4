import type { Component } from "preact";
import { useState } from "preact";
import type { Dispatch } from "api-types";
import { api } from "../../../../shared/api/client";
import { fieldId, Form, LongTextField, Submit, useForm } from "../../../../shared/forms";
import { invalidate } from "../../../../shared/resources";
import { Card, Icon, Section, Stars, toast } from "../../../../shared/ui";
import type { Kind, View } from "../view";
import { words } from "../words";

const Given: Component<{ rating: Dispatch.Rating; title: string }> = ({ rating, title }) => (
  <Card>
    <div class="stack tight">
      <span class="line between">
        <span>{title}</span>
        <span class="line given" role="img" aria-label={words.stars(rating.stars)}>{[1, 2, 3, 4, 5].map((star) => <Icon key={star} name="star" size={18} />).slice(0, rating.stars)}</span>
      </span>
      {rating.comment && <p class="muted"><bdi>{rating.comment}</bdi></p>}
    </div>
  </Card>
);

/** Stars for the other one, once; theirs are seen after one's own. */
export const RatingPart: Component<{ view: View; kind: Kind }> = ({ view, kind }) => {
  const { order, side, name } = view;
  const own = order.ratings[side];
  const first = side === "customer" ? kind.ratesFirst?.(view) : undefined;
  const service = side === "customer" ? kind.rates?.(view) : undefined;
  const [fault, setFault] = useState(false);
  const form = useForm({
    initial: { stars: 0, service: 0, comment: "" },
    check: (values) => {
      const misses = values.stars === 0 || (service !== undefined && values.service === 0);
      setFault(misses);
      return { stars: values.stars === 0 && words.starsFirst, service: service !== undefined && values.service === 0 && words.starsFirst };
    },
    send: (values, key) => api.post("/dispatch/v1/orders/{id}/rating", { id: order.order },
      { stars: values.stars, serviceStars: service ? values.service : undefined, comment: values.comment.trim() || undefined }, { key }),
    done: () => {
      invalidate(`order:${order.order}`, "orders");
      toast(words.rated);
    },
    keep: { name: `rating-${order.order}` },
  });
  if (own) {
    const other = side === "customer" ? order.ratings.provider : order.ratings.customer;
    return <Section title={words.rate}><Given rating={own} title={words.yourRating} />{other && <Given rating={other} title={words.theirRating(name)} />}</Section>;
  }
  if (view.isOnlySeen || order.state !== "completed" || (!order.provider && !first)) return null;
  const asked = first ?? words.ratePerson(name);
  form.label("stars", asked);
  if (service) form.label("service", service);
  return (
    <Section title={words.rate}>
      <Card>
        <Form form={form}>
          <Stars id={fieldId(form, "stars")} name={`${form.id}-stars`} label={asked} value={form.values.stars} onChoose={(stars) => form.set("stars", stars)} />
          {service && <Stars id={fieldId(form, "service")} name={`${form.id}-service`} label={service} value={form.values.service} onChoose={(stars) => form.set("service", stars)} />}
          {(form.values.stars > 0 || fault) && (
            <>
              <LongTextField form={form} name="comment" label={words.comment} hint={view.market?.freeTextNote} optional maximum={1000} />
              <Submit form={form}>{words.sendRating}</Submit>
            </>
          )}
        </Form>
      </Card>
    </Section>
  );
};
