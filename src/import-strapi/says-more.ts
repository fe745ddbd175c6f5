/** Whether the display name adds anything to the name: `Press Release` adds nothing to `press-release`. */
export function saysMore(displayName: string | undefined, name: string): displayName is string {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
  return displayName !== undefined && plain(displayName) !== plain(name);
}
