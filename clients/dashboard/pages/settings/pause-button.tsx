import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { useChangePaymaster } from './use-change-paymaster.ts';

/** Pauses and resumes a paymaster. */
export function PauseButton() {
  const paymaster = usePaymaster();
  const change = useChangePaymaster(paymaster);
  return (
    <div className="stack">
      <p>
        {paymaster.pausedAt === undefined ? (
          <Badge kind="good">Answering requests</Badge>
        ) : (
          <Badge kind="warn">Paused</Badge>
        )}
      </p>
      <div className="actions">
        {paymaster.pausedAt === undefined ? (
          <ConfirmButton
            text="Pause"
            needs={['manage']}
            title={`Pause “${paymaster.name}”?`}
            confirm="Pause paymaster"
            isPending={change.isPending}
            onConfirm={() => change.mutate({ paused: true })}
          >
            Every request is refused from now on. Operations that are already signed can still land and are paid. You
            can resume it at any time.
          </ConfirmButton>
        ) : (
          <Button
            kind="primary"
            needs={['manage']}
            isPending={change.isPending}
            onPress={() => change.mutate({ paused: false })}
          >
            Resume
          </Button>
        )}
      </div>
      <Problem error={change.error} />
    </div>
  );
}
