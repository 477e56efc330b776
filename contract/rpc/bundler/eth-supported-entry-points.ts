import { z } from 'zod';
import { NoParamsSchema } from '../no-params.ts';

/** The EntryPoints that operations can be sent for (ERC-7769): the paymaster's first. */
export const ethSupportedEntryPoints = {
  method: 'eth_supportedEntryPoints',
  params: NoParamsSchema,
  result: z.array(z.string()).describe('Addresses. The first is the one of `pm_supportedEntryPoints`.'),
} as const;
