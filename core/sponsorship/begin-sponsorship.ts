import { accept, type Result, refuse } from '../domain/result.ts';
import type { SponsorshipRequest } from '../domain/sponsorship.ts';
import { type Identified, identify } from './identify.ts';
import { type ReadOperation, readUserOperation } from './read-user-operation.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/** Whose request it is, and the operation it is about. */
export type Begun = { readonly identified: Identified; readonly read: ReadOperation };

/** The first two steps of every request about an operation. */
export async function beginSponsorship(parts: SponsorshipParts, request: SponsorshipRequest): Promise<Result<Begun>> {
  const identified = await identify(parts, request);
  if (!identified.ok) return identified;
  return readFor(identified.value, request);
}

/** The same for a request that names its EntryPoint. */
export async function beginForEntryPoint(
  parts: SponsorshipParts,
  request: SponsorshipRequest & { readonly entryPoint: string },
): Promise<Result<Begun>> {
  const identified = await identifyForEntryPoint(parts, request);
  if (!identified.ok) return identified;
  return readFor(identified.value, request);
}

/** First step of a request that names an EntryPoint: it must be the one the paymaster works with. */
export async function identifyForEntryPoint(
  parts: SponsorshipParts,
  request: { readonly apiKey: string; readonly chainId: number; readonly entryPoint: string },
): Promise<Result<Identified>> {
  const identified = await identify(parts, request);
  if (!identified.ok) return identified;
  const { family, place } = identified.value.contract;
  if (request.entryPoint.toLowerCase() === place.entryPoint.toLowerCase()) return identified;
  return refuse({
    reason: 'ENTRY_POINT_NOT_SUPPORTED',
    message: `This paymaster works with EntryPoint ${family.entryPointVersion} at ${place.entryPoint}.`,
    field: 'entryPoint',
  });
}

function readFor(identified: Identified, { userOperation }: SponsorshipRequest): Result<Begun> {
  const read = readUserOperation(userOperation, identified.contract.family.entryPointVersion);
  return read.ok ? accept({ identified, read: read.value }) : read;
}
