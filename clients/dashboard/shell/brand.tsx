import { Link } from '@tanstack/react-router';

/** The name, which leads home. */
export function Brand() {
  return (
    <Link to="/" className="brand">
      <img src="/dashboard/icon.svg" alt="" />
      Tollfree
    </Link>
  );
}
