/** German texts of the desk. */
import type { deskEnglish } from './desk-english.ts';
import type { Texts } from './texts.ts';

export const deskGerman: Texts<typeof deskEnglish> = {
  commands: { nothing: 'Es gibt keine ungespeicherten Änderungen.' },
  palette: {
    title: 'Öffnen oder ausführen',
    open: 'Suche und Befehle (%{keys})',
    field: 'Name, Titel oder Befehl',
    actions: 'Dieses Formular',
    create: 'Neuer Eintrag',
    createOf: 'Neu: %{name}',
    types: 'Inhalte',
    screens: 'Seiten',
    entries: 'Einträge',
    searching: 'Wird gesucht…',
    nothing: 'Nichts gefunden',
    found: '%{smart_count} Treffer |||| %{smart_count} Treffer',
    home: 'Startseite',
    cut: 'Nur %{count} Inhaltstypen werden durchsucht: der aktuelle, die zuletzt geöffneten und die ersten des Menüs.',
  },
  wide: {
    open: 'Vollbild',
    leave: 'Vollbild verlassen',
    words: '%{smart_count} Wort |||| %{smart_count} Wörter',
  },
  items: {
    expandAll: 'Alle aufklappen',
    collapseAll: 'Alle zuklappen',
    insertAfter: 'Nach %{name} einfügen',
  },
};
