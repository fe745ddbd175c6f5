/** English texts of the desk: keyboard, palette, home, account, drawers and what lists can do beyond react-admin. */
export const deskEnglish = {
  commands: { nothing: 'There are no unsaved changes.' },
  palette: {
    title: 'Go to or do',
    open: 'Search and commands (%{keys})',
    field: 'Type a name, a title or a command',
    actions: 'This form',
    create: 'New entry',
    createOf: 'New: %{name}',
    types: 'Content',
    screens: 'Screens',
    entries: 'Entries',
    searching: 'Searching…',
    nothing: 'Nothing found',
    found: '%{smart_count} result |||| %{smart_count} results',
    home: 'Start page',
    cut: 'Only %{count} content types are searched: the current one, those opened last, and the first of the menu.',
  },
  wide: {
    open: 'Full screen',
    leave: 'Leave full screen',
    words: '%{smart_count} word |||| %{smart_count} words',
  },
  items: {
    expandAll: 'Expand all',
    collapseAll: 'Collapse all',
    insertAfter: 'Insert after %{name}',
  },
};
