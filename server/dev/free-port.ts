import { once } from 'node:events';
import { createServer } from 'node:net';
import { tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import { type DevOptions, type DevPort, devPortNames, devPorts, flagOf } from './dev-options.ts';

/** How many ports after a taken one are tried. */
const maxTries = 50;

/**
 * Replaces each taken default port by the next free one, and reports it. A taken port that the developer named is refused,
 * with the flag to use. Port 0 is always free.
 */
export async function choosePorts(options: DevOptions, say: (line: string) => void): Promise<DevOptions> {
  const ports: Partial<Record<DevPort, number>> = {};
  for (const option of devPortNames) {
    // The developer's own node already has its port.
    if (option === 'chainPort' && options.nodeUrl !== undefined) continue;
    const wanted = options[option];
    const others = devPortNames.filter((other) => other !== option).map((other) => ports[other] ?? options[other]);
    const port = await findPort(option, { wanted, mayMove: !options.namedPorts.has(option), others });
    if (port !== wanted) say(`Port ${wanted} is taken: ${devPorts[option].listener} uses ${port} (${flagOf(option)})`);
    ports[option] = port;
  }
  return { ...options, ...ports };
}

async function findPort(
  option: DevPort,
  search: { readonly wanted: number; readonly mayMove: boolean; readonly others: readonly number[] },
): Promise<number> {
  const { wanted, mayMove, others } = search;
  if (wanted === 0) return 0;
  let cause: unknown;
  for (let port = wanted; port <= Math.min(wanted + maxTries, 65_535); port += 1) {
    if (port !== wanted && others.includes(port)) continue;
    cause = await whyNotFree(port);
    if (cause === undefined) return port;
    if (!mayMove) break;
  }
  const flag = flagOf(option);
  throw tryAgain(
    `Port ${wanted} is taken. Use another one: ${flag} ${wanted === 65_535 ? 0 : wanted + 1}, or ${flag} 0 for any free one.`,
    cause,
  );
}

/** The error of listening on a port of 127.0.0.1; undefined when the port is free. */
async function whyNotFree(port: number): Promise<unknown> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
  } catch (error) {
    return error;
  }
  probe.close();
  await once(probe, 'close');
  return undefined;
}
