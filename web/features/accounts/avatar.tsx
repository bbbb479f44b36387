import { CircleUserRound } from 'lucide-react';

/** The user's picture, or a default icon. */
export function Avatar({ photoURL, size = 28 }: { photoURL: string | null; size?: number }) {
  if (!photoURL) return <CircleUserRound aria-hidden size={size} strokeWidth={1.5} />;
  return (
    <img
      src={photoURL}
      alt=""
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      className="rounded-full object-cover"
    />
  );
}
