import { discord } from './discord.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import type { PeopleTarget, TargetFormat } from './target.ts';
import { telegram } from './telegram.ts';

/** How each service takes messages. */
export const targetFormats: Readonly<Record<PeopleTarget, TargetFormat>> = {
  SLACK: slack,
  DISCORD: discord,
  TELEGRAM: telegram,
  PAGERDUTY: pagerduty,
};
