import { startBenchProcess } from '../bench-process.ts';
import type { BenchTarget } from '../bench-target.ts';
import { type RequestKind, requestKinds } from '../request-kinds.ts';

/** Another program that signs for operations. */
export type OpenPeer = {
  readonly name: string;
  readonly kind: RequestKind;
  readonly target: BenchTarget;
  stop(): Promise<void>;
};

const [, askForData] = requestKinds['ERC-7677, new'].bodies;
/** Both check nothing: the same call and new ones are alike to them. */
const kind: RequestKind = { bodies: [askForData] };

/** Starts what signs without checking, each as a process. */
export async function startPeers(target: BenchTarget): Promise<readonly OpenPeer[]> {
  const peers = [await startPeer('bare-signer', target.paymaster, target)];
  if (target.nodeUrl !== undefined) peers.push(await startPeer('mock-paymaster', target.nodeUrl, target));
  return peers;
}

async function startPeer(name: string, argument: string, ours: BenchTarget): Promise<OpenPeer> {
  const { target: rpcUrl, pid, stop } = await startBenchProcess<string>('peers/peer.ts', [name, argument]);
  // Our metrics and our gateway have no part in it.
  const { adminUrl: _, gatewayPid: __, servicePid: ___, ...location } = ours;
  return { name, kind, target: { ...location, rpcUrl, ...(pid === undefined ? {} : { servicePid: pid }) }, stop };
}
