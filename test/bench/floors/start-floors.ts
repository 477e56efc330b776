import { startCompiled } from '../bench-process.ts';
import type { BenchTarget } from '../bench-target.ts';
import type { OpenPeer } from '../peers/start-peers.ts';
import { requestKinds } from '../request-kinds.ts';
import { stackLayers } from './stack-floor.ts';

/** Starts what our packages take with nothing decided: compiled as the service is, a process for each layer. */
export async function startFloors(ours: BenchTarget): Promise<readonly OpenPeer[]> {
  const floors: OpenPeer[] = [];
  for (const layer of stackLayers) {
    const { target, pid, stop } = await startCompiled<string>('floor', [layer, ours.paymaster, ours.entryPoint]);
    const { adminUrl: _, gatewayPid: __, servicePid: ___, ...location } = ours;
    const floor = { ...location, rpcUrl: target, ...(pid === undefined ? {} : { servicePid: pid }) };
    floors.push({ name: `floor, ${layer}`, kind: requestKinds.SPONSORED, target: floor, stop });
  }
  return floors;
}
