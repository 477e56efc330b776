import { maxPolicyIcon, policyIconForm } from '@tollfree/contract/limits';

/** Sides of the picture in pixels, the largest that fits is taken: wallets show it small. */
const sides = [128, 96, 64, 48, 32];

/** A picture of a file as the data URI that wallets take, made smaller where it is too large. Undefined for what is none. */
export async function readIcon(file: File): Promise<string | undefined> {
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
