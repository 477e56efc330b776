import { accept } from '../../domain/result/result.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import { readLifetime } from './read-context.ts';

/** How long the signature or quote will be good, in seconds. */
export type Lifetime = { readonly lifetimeSeconds: number };

/** The client's wish within the operator's bounds. */
export const readSignatureLifetime: Step<Asked, Lifetime> = notedIfRefused(
  { rule: 'lifetime', checked: 'expiryDuration' },
  ({ context, parts }) => {
    const lifetime = readLifetime(context.expiryDuration, parts.validity);
    return lifetime.ok ? accept({ lifetimeSeconds: lifetime.value }) : lifetime;
  },
);
