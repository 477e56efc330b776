import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { IconName } from '../../parts/icon.tsx';
import { chainLabel } from '../../parts/text/chain-name.ts';
import { isOfPaymaster, isShown, pageGroups } from '../paymaster-pages.ts';

/** A navigation target. */
export type Goal = {
  readonly key: string;
  readonly text: string;
  readonly note: string;
  readonly icon: IconName;
  readonly target: {
    readonly to: string;
    readonly params?: Readonly<Record<string, string>>;
    readonly search?: Readonly<Record<string, string>>;
  };
};

/** The pages of the current paymaster and of the account, and all paymasters, filtered by name. */
export function listGoals(
  text: string,
  {
    current,
    paymasters,
    isOperator,
  }: {
    readonly current: PaymasterItem | undefined;
    readonly paymasters: readonly PaymasterItem[];
    readonly isOperator: boolean;
  },
): readonly Goal[] {
  const pages = pageGroups.flatMap(({ title, pages: some }): readonly Goal[] =>
    some
      .filter(({ to }) => isShown(to, { hasPaymaster: current !== undefined, isOperator }))
      .map(({ to, text: name, icon }) => ({
        key: to,
        text: name,
        note: isOfPaymaster(to) ? (current?.name ?? '') : title,
        icon,
        target: { to, params: { paymasterId: current?.paymasterId ?? '' } },
      })),
  );
  const others = paymasters.map(
    ({ paymasterId, name, chainId }): Goal => ({
      key: paymasterId,
      text: name,
      note: chainLabel(chainId),
      icon: 'list',
      target: { to: '/paymasters/$paymasterId/activity', params: { paymasterId } },
    }),
  );
  const sought = text.toLowerCase();
  return [...pages, ...others].filter((goal) => goal.text.toLowerCase().includes(sought));
}
