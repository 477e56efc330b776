import { noteResult } from '../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { SponsorshipRequest } from '../domain/sponsorship.ts';
import { findEip7702Delegate } from './request/find-eip7702-delegate.ts';
import { type Identified, identify } from './request/identify.ts';
import { type ReadOperation, readUserOperation } from './request/read-user-operation.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';
import type { SponsorshipRun } from './sponsorship-run.ts';

/** Whose request it is, and the operation it is about. */
export type Begun = { readonly identified: Identified; readonly read: ReadOperation };

/** The first two steps of every request about an operation. */
export async function beginSponsorship(run: SponsorshipRun, request: SponsorshipRequest): Promise<Result<Begun>> {
  return readFor(run, await identify(run, request), request);
}

/** The same for a request that names its EntryPoint. */
export async function beginForEntryPoint(
  run: SponsorshipRun,
  request: SponsorshipRequest & { readonly entryPoint: string },
): Promise<Result<Begun>> {
  return readFor(run, await identifyForEntryPoint(run, request), request);
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

async function readFor(
  { draft }: SponsorshipRun,
  identified: Result<Identified>,
  { userOperation }: SponsorshipRequest,
): Promise<Result<Begun>> {
  noteResult(draft, { rule: 'paymaster', checked: 'the apiKey, its chain and its paymaster contract' }, identified);
  if (!identified.ok) return identified;
  const { profile, chain, contract } = identified.value;
  draft.paymasterId = profile.paymaster.paymasterId;
  const read = await readOperation(identified.value, userOperation);
  noteResult(
    draft,
    { rule: 'operation', checked: `a user operation of EntryPoint ${contract.family.entryPointVersion}` },
    read,
  );
  if (!read.ok) return read;
  const { sender, nonce, maxFeePerGas } = read.value.operation;
  draft.operation = { sender, nonce, maxFeePerGas };
  return accept({ identified: { profile, chain, contract }, read: read.value });
}

async function readOperation(
  { chain, contract }: Identified,
  userOperation: SponsorshipRequest['userOperation'],
): Promise<Result<ReadOperation>> {
  const read = readUserOperation(userOperation, contract.family.entryPointVersion);
  return read.ok ? findEip7702Delegate(chain, read.value) : read;
}
