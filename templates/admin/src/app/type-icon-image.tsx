/** The icons of types. Loaded only if a type has one. */
import Archive from '@mui/icons-material/ArchiveOutlined';
import Article from '@mui/icons-material/ArticleOutlined';
import Bookmark from '@mui/icons-material/BookmarkOutlined';
import Brush from '@mui/icons-material/BrushOutlined';
import Build from '@mui/icons-material/BuildOutlined';
import CalendarMonth from '@mui/icons-material/CalendarMonthOutlined';
import Category from '@mui/icons-material/CategoryOutlined';
import Chat from '@mui/icons-material/ChatOutlined';
import Code from '@mui/icons-material/CodeOutlined';
import Dashboard from '@mui/icons-material/DashboardOutlined';
import Email from '@mui/icons-material/EmailOutlined';
import Event from '@mui/icons-material/EventOutlined';
import Factory from '@mui/icons-material/FactoryOutlined';
import Favorite from '@mui/icons-material/FavoriteOutlined';
import Flag from '@mui/icons-material/FlagOutlined';
import Folder from '@mui/icons-material/FolderOutlined';
import Group from '@mui/icons-material/GroupOutlined';
import Help from '@mui/icons-material/HelpOutlined';
import Home from '@mui/icons-material/HomeOutlined';
import Image from '@mui/icons-material/ImageOutlined';
import Info from '@mui/icons-material/InfoOutlined';
import Inventory from '@mui/icons-material/InventoryOutlined';
import Label from '@mui/icons-material/LabelOutlined';
import Language from '@mui/icons-material/LanguageOutlined';
import Link from '@mui/icons-material/LinkOutlined';
import List from '@mui/icons-material/ListOutlined';
import Map from '@mui/icons-material/MapOutlined';
import Menu from '@mui/icons-material/MenuOutlined';
import MenuBook from '@mui/icons-material/MenuBookOutlined';
import MusicNote from '@mui/icons-material/MusicNoteOutlined';
import Newspaper from '@mui/icons-material/NewspaperOutlined';
import Notifications from '@mui/icons-material/NotificationsOutlined';
import Payments from '@mui/icons-material/PaymentsOutlined';
import Person from '@mui/icons-material/PersonOutlined';
import Phone from '@mui/icons-material/PhoneOutlined';
import PhotoCamera from '@mui/icons-material/PhotoCameraOutlined';
import Place from '@mui/icons-material/PlaceOutlined';
import Restaurant from '@mui/icons-material/RestaurantOutlined';
import School from '@mui/icons-material/SchoolOutlined';
import Settings from '@mui/icons-material/SettingsOutlined';
import ShoppingCart from '@mui/icons-material/ShoppingCartOutlined';
import Star from '@mui/icons-material/StarOutlined';
import Store from '@mui/icons-material/StoreOutlined';
import Videocam from '@mui/icons-material/VideocamOutlined';
import Work from '@mui/icons-material/WorkOutlined';
import type { SvgIconComponent } from '@mui/icons-material';
import type { PanelIcon } from '../../../runtime/src/contract/panel-view.ts';

const ICONS: Readonly<Record<PanelIcon, SvgIconComponent>> = {
  archive: Archive,
  article: Article,
  book: MenuBook,
  bookmark: Bookmark,
  brush: Brush,
  build: Build,
  calendar: CalendarMonth,
  camera: PhotoCamera,
  cart: ShoppingCart,
  category: Category,
  chat: Chat,
  code: Code,
  dashboard: Dashboard,
  email: Email,
  event: Event,
  factory: Factory,
  favorite: Favorite,
  flag: Flag,
  folder: Folder,
  group: Group,
  help: Help,
  home: Home,
  image: Image,
  info: Info,
  inventory: Inventory,
  label: Label,
  language: Language,
  link: Link,
  list: List,
  map: Map,
  menu: Menu,
  music: MusicNote,
  newspaper: Newspaper,
  notifications: Notifications,
  payments: Payments,
  person: Person,
  phone: Phone,
  place: Place,
  restaurant: Restaurant,
  school: School,
  settings: Settings,
  star: Star,
  store: Store,
  video: Videocam,
  work: Work,
};

export default function TypeIconImage({ icon }: { readonly icon: PanelIcon }) {
  const Icon = ICONS[icon];
  return <Icon fontSize="small" />;
}
