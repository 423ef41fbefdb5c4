import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { Icon } from "../../../shared/ui";

/**
 * The picture of a service: the API's lines in the market's colour, or the picture that an admin chose; a drawing of ours where it
 * cannot be fetched.
 */
export const Picture: Component<{ image?: string }> = ({ image }) => {
  const [failed, setFailed] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (!image) return;
    const asked = new Image();
    asked.onerror = () => setFailed(image);
    asked.src = image;
  }, [image]);
  return (
    <span class="row-icon">
      {!image || image === failed ? <Icon name="care" /> : !image.endsWith(".svg") ? <img class="row-photo" src={image} alt="" /> : <span class="drawn" style={{ maskImage: `url("${image}")` }} aria-hidden="true" />}
    </span>
  );
};
