import { once } from 'node:events';
import { createServer } from 'node:net';
import { tryAgain } from '../cli-error.ts';
import { portFlag } from './dev-options.ts';

/** Says in a sentence, with the flag to use, when a wanted port of 127.0.0.1 is taken. Port 0 is always free. */
export async function checkPortIsFree(option: string, port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
  } catch (error) {
    const flag = portFlag(option);
    throw tryAgain(
      `Port ${port} is taken. Use another one: ${flag} ${port === 65_535 ? 0 : port + 1}, or ${flag} 0 for any free one.`,
      error,
    );
  }
  probe.close();
  await once(probe, 'close');
}
