import { z } from 'zod';
import { readOwnFile } from './terminal/read-own-file.ts';

/** The file in which `tollfree dev` describes itself to programs, relative to the working directory. */
export const devFilePath = '.tollfree/dev.json';

const loopbackUrl = z.url({ protocol: /^http$/, hostname: /^(?:127\.0\.0\.1|localhost|\[::1\])$/ });
const DevFileSchema = z.object({
  gatewayUrl: loopbackUrl,
  adminUrl: loopbackUrl,
  // Of its core, for operator commands.
  grpcAddress: z.string().regex(/^127\.0\.0\.1:\d{1,5}$/),
  grpcTokenFile: z.string().min(1),
  authToken: z.string().min(1),
  paymasters: z.array(z.object({ name: z.string(), apiKey: z.string() })),
});

type DevFile = z.output<typeof DevFileSchema>;

/** The development service that runs in the working directory, with its first paymaster. */
type DevTarget = Omit<DevFile, 'paymasters'> & { readonly paymaster: DevFile['paymasters'][number] | undefined };

/** Undefined if none runs here. Any other file there is a mistake: only a loopback address is accepted. */
export function readDevTarget(): DevTarget | undefined {
  const otherwise = `${devFilePath} is not a file of \`tollfree dev\`. Name the service with --url.`;
  const found = readOwnFile(devFilePath, DevFileSchema, otherwise);
  if (found === undefined) return undefined;
  const { paymasters, ...target } = found;
  return { ...target, paymaster: paymasters[0] };
}
