/** The server's types of Ticket to Ride, by the names that the game's files use. */

export type {
  BoardData as MapData,
  Location,
  Prospect,
  RouteData as Route,
  Shape,
  Ticket,
  TicketToRideView as View,
} from '../../api/schema'

export type Point = [number, number]
