interface AvatarProps {
  photoURL: string | null;
  /** Its first letter stands in for a picture. */
  name: string;
  size?: number;
}

/** The user's picture, or the first letter of the name. */
export function Avatar({ photoURL, name, size = 28 }: AvatarProps) {
  if (!photoURL) {
    const [letter = ''] = new Intl.Segmenter().segment(name.trim());
    return (
      <span
        aria-hidden
        style={{ width: size, height: size, fontSize: size * 0.46 }}
        className="flex shrink-0 items-center justify-center rounded-full border border-line bg-sunken font-medium text-ink leading-none"
      >
        {(typeof letter === 'string' ? letter : letter.segment).toUpperCase()}
      </span>
    );
  }
  return (
    <img src={photoURL} alt="" width={size} height={size} className="shrink-0 rounded-full object-cover" />
  );
}
