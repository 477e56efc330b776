import { useMutation, useQueryClient } from '@tanstack/react-query';
import { limitDay } from '../../api/limit-day.ts';
import { overviewQuery } from '../../api/of-account.ts';
import { policyQuery } from '../../api/of-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usdText } from '../../parts/text/usd-text.ts';
import { toast } from '../../parts/toast.tsx';
import type { PaymasterOverview } from './use-overview.ts';

type LimitDayProps = Pick<PaymasterOverview, 'paymaster'> & {
  /** USD as decimal text. */
  readonly dailyUsd: string;
  readonly kind?: 'primary' | 'plain';
};

/** Bounds with one click what all senders together can spend in a day. The policy can change it later. */
export function LimitDayButton({ paymaster, dailyUsd, kind = 'plain' }: LimitDayProps) {
  const client = useQueryClient();
  const limit = useMutation({
    mutationFn: () => limitDay(paymaster, dailyUsd),
    onSuccess: async () => {
      toast(`${paymaster.name} spends at most ${usdText(dailyUsd)} a day.`);
      await Promise.all([client.invalidateQueries(overviewQuery), client.invalidateQueries(policyQuery(paymaster))]);
    },
  });
  return (
    <div>
      <Button
        kind={kind}
        label={`Limit ${paymaster.name} to ${usdText(dailyUsd)} a day`}
        needs={['manage']}
        isPending={limit.isPending}
        onPress={() => limit.mutate()}
      >
        Set {usdText(dailyUsd)} a day
      </Button>
      <Problem error={limit.error} />
    </div>
  );
}
