import { maxPolicyIcon, policyIconForm } from '@tollfree/contract/limits';
import { useId, useState } from 'react';
import { Button } from '../../parts/button.tsx';

/** Side lengths in pixels, of which the largest that fits is used: wallets show the icon small. */
const sides = [128, 96, 64, 48, 32];

/** An image file as a data URI for wallets, scaled down if it is too large. Undefined if it is not an image. */
async function readIcon(file: File): Promise<string | undefined> {
  const whole = await toDataUri(file);
  if (isIcon(whole)) return whole;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (picture === undefined) return undefined;
  return sides.map((side) => drawn(picture, side)).find(isIcon);
}

function isIcon(text: string): boolean {
  return text.length <= maxPolicyIcon && policyIconForm.test(text);
}

function drawn(picture: ImageBitmap, side: number): string {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}

function toDataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

type IconInputProps = {
  /** A data URI; undefined for none. */
  readonly icon: string | undefined;
  readonly onChange: (icon: string | undefined) => void;
};

/** Reads an icon from a file. */
export function IconInput({ icon, onChange }: IconInputProps) {
  const id = useId();
  const [isRefused, setRefused] = useState(false);
  const take = async (file: File) => {
    const read = await readIcon(file).catch(() => undefined);
    setRefused(read === undefined);
    if (read !== undefined) onChange(read);
  };
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Picture
      </label>
      {icon === undefined ? null : <img src={icon} alt="Current icon" className="policy-icon" />}
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,image/svg+xml"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void take(file);
          target.value = '';
        }}
      />
      <span id={`${id}-hint`} className="hint">
        Wallets can show it to the sponsored user. Large pictures are scaled down.
      </span>
      <span role="alert" className="field-error">
        {isRefused ? 'This picture cannot be used. Choose a PNG, JPEG, GIF, WebP or small SVG.' : ''}
      </span>
      {icon === undefined ? null : (
        <div>
          <Button onPress={() => onChange(undefined)}>Remove picture</Button>
        </div>
      )}
    </div>
  );
}
