import { randomUUID } from 'node:crypto';
import { accept, type Result, refuse } from '../domain/result.ts';
import type { SponsorshipRequest } from '../domain/sponsorship.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/** Runs the steps and gives the answer its id, under which it is logged. */
export async function decide<T extends { readonly kind: string }>(
  parts: SponsorshipParts,
  request: SponsorshipRequest,
  run: () => Promise<Result<T>>,
): Promise<Result<T & { readonly decisionId: string }>> {
  const decisionId = randomUUID();
  const result = await run();
  const fields = { decisionId, chainId: request.chainId, sender: request.userOperation.sender?.slice(0, 42) };
  if (!result.ok) {
    parts.logger.info({ ...fields, reason: result.refusal.reason }, 'Refused');
    return refuse({ ...result.refusal, decisionId });
  }
  parts.logger.info({ ...fields, outcome: result.value.kind }, 'Answered');
  return accept({ ...result.value, decisionId });
}
