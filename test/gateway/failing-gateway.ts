import { once } from 'node:events';
import { actAs } from '../../core/domain/access/actor.ts';
import { accept } from '../../core/domain/result/result.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { createFakeCore } from '../support/gateway/fake-core.ts';

/**
 * A gateway whose core leaves a rejected promise behind and never answers. Prints its address and the errors it logs; ends
 * as Node ends it once promises are rejected outside of any request, which the end of the standard input asks for. They are
 * rejected again and again, since a request that has just ended may have left them. A question for EntryPoints is answered when a
 * line arrives there.
 */
const loseRejection = () => {
  void Promise.reject(new Error('lost'));
  return new Promise<never>(() => undefined);
};
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const silent = () => undefined;
const waitForLine = async () => {
  print({ message: 'asked for EntryPoints' });
  await once(process.stdin, 'data');
  return accept([]);
};
const error = (fields: object, message: string) =>
  print({ message, lost: 'err' in fields && fields.err instanceof Error && fields.err.message === 'lost' });
const { url } = await startGateway({
  core: createFakeCore({
    listPaymasters: loseRejection,
    getFeeQuoteOrData: loseRejection,
    listEntryPoints: waitForLine,
  }),
  actAs,
  listen: { host: '127.0.0.1', port: 0 },
  admin: { host: '127.0.0.1', port: 0 },
  limits: defaultGatewayLimits,
  logger: { debug: silent, info: silent, warn: silent, error },
  clock: { now: () => Date.now() },
});
print({ url });
await once(process.stdin.resume(), 'end');
setInterval(() => void Promise.reject(new Error('outside')), 50);
