import { useMutation } from '@tanstack/react-query';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useState } from 'react';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm, type ConfirmProps } from '../../parts/confirm.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { counted } from '../../parts/text/counted.ts';

type PauseAllProps = { readonly paymasters: readonly PaymasterItem[] };

/** Those of the account's paymasters that can be paused. */
export function runningOf(paymasters: readonly PaymasterItem[]): readonly PaymasterItem[] {
  return paymasters.filter(({ pausedAt, retiredAt }) => pausedAt === undefined && retiredAt === undefined);
}

/** Pauses all paymasters of the account at once. Hidden where that is one click on its own page. */
export function PauseAll({ paymasters }: PauseAllProps) {
  const [isAsking, setAsking] = useState(false);
  const running = runningOf(paymasters);
  const pause = useSetPaused();
  if (running.length < 2) return <Problem error={pause.error} />;
  return (
    <div>
      <Button kind="danger" needs={['manage']} isPending={pause.isPending} onPress={() => setAsking(true)}>
        Pause all
      </Button>
      <ConfirmPauseAll
        count={running.length}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => pause.mutate({ paymasters: running, paused: true })}
      />
      <Problem error={pause.error} />
    </div>
  );
}

type AskProps = Pick<ConfirmProps, 'isOpen' | 'onClose' | 'onConfirm'>;

/** Asks before all paymasters are paused. */
export function ConfirmPauseAll({ count, ...rest }: { readonly count: number } & AskProps) {
  return (
    <Confirm title={`Pause all ${counted(count, 'paymaster')}?`} confirm="Pause all" {...rest}>
      Every request to any of them is refused from now on. Operations that are already signed can still land and are
      paid. You can resume them together.
    </Confirm>
  );
}

/** Asks before one paymaster is paused. */
export function ConfirmPause({ name, ...rest }: { readonly name: string } & AskProps) {
  return (
    <Confirm title={`Pause “${name}”?`} confirm="Pause paymaster" {...rest}>
      Every request is refused from now on. Operations that are already signed can still land and are paid. You can
      resume it at any time.
    </Confirm>
  );
}

/** Paused within this many seconds of each other: in one go. */
const togetherSeconds = 60;

/** Offers to resume those that were paused last, in one go. Those that were paused before stay as they are. */
export function ResumeTogether({ paymasters }: PauseAllProps) {
  const paused = paymasters.flatMap(({ pausedAt, retiredAt, ...rest }) =>
    pausedAt === undefined || retiredAt !== undefined ? [] : [{ pausedAt, ...rest }],
  );
  const last = Math.max(...paused.map(({ pausedAt }) => pausedAt));
  const together = paused.filter(({ pausedAt }) => last - pausedAt < togetherSeconds);
  const resume = useSetPaused();
  if (together.length < 2) return <Problem error={resume.error} />;
  const isAll = together.length === paused.length;
  return (
    <Notice kind="warn">
      <p>
        {together.length} paymasters were paused together and refuse every request: {listNames(together)}.
        {isAll ? '' : ' Those that were paused before stay paused.'}
      </p>
      <div className="actions">
        <Button
          needs={['manage']}
          isPending={resume.isPending}
          onPress={() => resume.mutate({ paymasters: together, paused: false })}
        >
          {`Resume these ${together.length}`}
        </Button>
      </div>
      <Problem error={resume.error} />
    </Notice>
  );
}

/** Most names in a sentence. */
const mostNames = 5;

function listNames(paymasters: readonly { readonly name: string }[]): string {
  const names = paymasters.slice(0, mostNames).map(({ name }) => name);
  const left = paymasters.length - names.length;
  return left === 0 ? names.join(', ') : `${names.join(', ')} and ${left} more`;
}

type Paused = {
  readonly paymasters: readonly Pick<PaymasterItem, 'paymasterId' | 'name'>[];
  readonly paused: boolean;
};

/** Pauses or resumes several paymasters, and names those with which it failed. */
export function useSetPaused() {
  return useMutation({
    mutationFn: async ({ paymasters, paused }: Paused) => {
      const results = await Promise.allSettled(
        paymasters.map(({ paymasterId }) =>
          routes.paymaster.update({ headers: {}, params: { paymasterId }, body: { paused } }),
        ),
      );
      const failed = paymasters.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
      if (failed.length === 0) return;
      const still = paused ? 'go on sponsoring' : 'are still paused';
      throw new Error(`These ${still}: ${failed.join(', ')}. Try again`);
    },
  });
}
