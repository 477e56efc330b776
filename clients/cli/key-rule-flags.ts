import type { ApiKeyRulesItem } from '@tollfree/contract/api-key-rules';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Command } from 'commander';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, textFlag } from './terminal/flags.ts';

/** Adds the options for restrictions of a key. */
export function withKeyRules(command: Command): Command {
  return command
    .option('--origins [origins...]', 'origins that may send requests, like https://app.example.com; `none` allows all')
    .option('--networks [ranges...]', 'IP addresses and ranges that may send requests; `none` allows all')
    .option('--methods [methods...]', 'methods of the RPC endpoint that the key may use; `none` allows all')
    .option('--rate <perSecond:burst>', 'requests per second and burst, like 5:20; `none` removes it')
    .option('--limits [limits...]', 'like DAY:OPERATIONS:100, MONTH:USD:50.00 or EVER:WEI:1000; `none` removes them');
}

/** The rules from options, merged into the existing ones; undefined without such options. */
export function readKeyRules(flags: Flags, before?: ApiKeyRulesItem): Partial<ApiKeyRulesItem> | undefined {
  const changes = omitAbsent({
    origins: listFlag(flags, 'origins'),
    networks: listFlag(flags, 'networks'),
    // The service reports unknown ones.
    methods: listFlag(flags, 'methods') as ApiKeyRulesItem['methods'] | undefined,
    limits: listFlag(flags, 'limits')?.map(readLimit),
  });
  const rate = textFlag(flags, 'rate');
  if (Object.keys(changes).length === 0 && rate === undefined) return undefined;
  const { rate: rateBefore, ...others } = before ?? {};
  const rateAfter = rate === undefined ? rateBefore : readRate(rate);
  return { ...others, ...changes, ...omitAbsent({ rate: rateAfter }) };
}

function listFlag(flags: Flags, option: string): string[] | undefined {
  const value = flags[option];
  if (value === true) return [];
  return Array.isArray(value) ? value.map(String) : undefined;
}

function readRate(text: string): ApiKeyRulesItem['rate'] {
  if (text === 'none') return undefined;
  const [, perSecond, burst] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  if (perSecond === undefined || burst === undefined) throw mistake('--rate must be like 5:20, or none.');
  return { perSecond: Number(perSecond), burst: Number(burst) };
}

function readLimit(text: string): ApiKeyRulesItem['limits'][number] {
  const [window = '', unit = '', max = '', ...more] = text.split(':');
  if (max === '' || more.length > 0) throw mistake('--limits must be like DAY:OPERATIONS:100.');
  // The service checks windows and units.
  return {
    per: 'TOTAL',
    window: window.toUpperCase(),
    unit: unit.toUpperCase(),
    max,
  } as ApiKeyRulesItem['limits'][number];
}
