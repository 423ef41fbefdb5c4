#!/usr/bin/env python3
r"""Computes the tables of this folder with published implementations that are none of ours; README.md says which.

    pip install --target /tmp/prayer-times adhanpy==1.0.5 praytimes==2.3.2 islam==2.2.0 hijridate==2.6.0 \
        ephem==4.2.1
    PYTHONPATH=/tmp/prayer-times python3 make.py
"""
import csv
import datetime
import importlib
import pathlib
import zoneinfo

import ephem
from adhanpy.calculation.CalculationMethod import CalculationMethod
from adhanpy.calculation.CalculationParameters import CalculationParameters
from adhanpy.calculation.HighLatitudeRule import HighLatitudeRule
from adhanpy.calculation.Madhab import Madhab
from hijridate import Hijri
from praytimes import PrayTimes
from pyIslam.praytimes import PrayerConf
from pyIslam.qiblah import Qiblah

adhan = importlib.import_module("adhanpy.PrayerTimes")
FOLDER = pathlib.Path(__file__).parent
NAMES = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"]
HEAD = ["city", "latitude", "longitude", "zone", "method", "madhab", "rule", "year"]

METHODS = {
    "ummAlQura": CalculationMethod.UMM_AL_QURA, "muslimWorldLeague": CalculationMethod.MUSLIM_WORLD_LEAGUE,
    "egyptian": CalculationMethod.EGYPTIAN, "karachi": CalculationMethod.KARACHI, "gulf": CalculationMethod.DUBAI,
    "kuwait": CalculationMethod.KUWAIT, "qatar": CalculationMethod.QATAR, "singapore": CalculationMethod.SINGAPORE,
    "isna": CalculationMethod.NORTH_AMERICA, "moonsightingCommittee": CalculationMethod.MOON_SIGHTING_COMMITTEE,
}
RULES = {
    "middleOfTheNight": HighLatitudeRule.MIDDLE_OF_THE_NIGHT,
    "seventhOfTheNight": HighLatitudeRule.SEVENTH_OF_THE_NIGHT, "twilightAngle": HighLatitudeRule.TWILIGHT_ANGLE,
}
CITIES = [
    ("makkah", 21.4225, 39.8262, "Asia/Riyadh", "ummAlQura", "shafi", "middleOfTheNight", 2026),
    ("makkah", 21.4225, 39.8262, "Asia/Riyadh", "ummAlQura", "shafi", "middleOfTheNight", 2030),
    ("cairo", 30.0444, 31.2357, "Africa/Cairo", "egyptian", "shafi", "middleOfTheNight", 2026),
    ("karachi", 24.8607, 67.0011, "Asia/Karachi", "karachi", "hanafi", "middleOfTheNight", 2024),
    ("dubai", 25.2048, 55.2708, "Asia/Dubai", "gulf", "shafi", "middleOfTheNight", 2026),
    ("kuwait", 29.3759, 47.9774, "Asia/Kuwait", "kuwait", "shafi", "middleOfTheNight", 2026),
    ("doha", 25.2854, 51.5310, "Asia/Qatar", "qatar", "shafi", "middleOfTheNight", 2026),
    ("singapore", 1.3521, 103.8198, "Asia/Singapore", "singapore", "shafi", "middleOfTheNight", 2026),
    ("jakarta", -6.2088, 106.8456, "Asia/Jakarta", "muslimWorldLeague", "shafi", "middleOfTheNight", 2024),
    ("sydney", -33.8688, 151.2093, "Australia/Sydney", "muslimWorldLeague", "hanafi", "middleOfTheNight", 2026),
    ("auckland", -36.8509, 174.7645, "Pacific/Auckland", "muslimWorldLeague", "shafi", "seventhOfTheNight", 2026),
    ("cape-town", -33.9249, 18.4241, "Africa/Johannesburg", "moonsightingCommittee", "shafi", "middleOfTheNight", 2024),
    ("ushuaia", -54.8019, -68.3030, "America/Argentina/Ushuaia", "karachi", "shafi", "twilightAngle", 2026),
    ("new-york", 40.7128, -74.0060, "America/New_York", "isna", "hanafi", "middleOfTheNight", 2026),
    ("anchorage", 61.2181, -149.9003, "America/Anchorage", "isna", "shafi", "twilightAngle", 2026),
    ("paris", 48.8566, 2.3522, "Europe/Paris", "muslimWorldLeague", "shafi", "twilightAngle", 2026),
    ("london", 51.5074, -0.1278, "Europe/London", "moonsightingCommittee", "hanafi", "middleOfTheNight", 2026),
    ("london", 51.5074, -0.1278, "Europe/London", "muslimWorldLeague", "shafi", "middleOfTheNight", 2024),
    ("oslo", 59.9139, 10.7522, "Europe/Oslo", "moonsightingCommittee", "shafi", "middleOfTheNight", 2026),
    ("gothenburg", 57.7089, 11.9746, "Europe/Stockholm", "muslimWorldLeague", "shafi", "seventhOfTheNight", 2026),
]
# Where the sun grazes the horizon, or the altitude of twilight.
GRAZED = [("tromso", 69.6492, 18.9553, "Europe/Oslo", 2026), ("london", 51.5074, -0.1278, "Europe/London", 2024)]
# Bearings to the Kaaba; not nearer than Jeddah, where the exact spot would count.
BEARINGS = [(c[0], c[1], c[2]) for c in CITIES if c[0] != "makkah"] + [
    ("tromso", 69.6492, 18.9553),
    ("madinah", 24.4672, 39.6112), ("riyadh", 24.7136, 46.6753), ("jeddah", 21.4858, 39.1925),
    ("tokyo", 35.6762, 139.6503), ("perth", -31.9523, 115.8613), ("regina", 50.4452, -104.6189),
    ("lagos", 6.5244, 3.3792), ("sao-paulo", -23.5505, -46.6333), ("honolulu", 21.3069, -157.8583),
    ("dakar", 14.7167, -17.4677), ("istanbul", 41.0082, 28.9784), ("nairobi", -1.2921, 36.8219),
]


def nearest_minute(moment):
    """As the originals of adhanpy round. Its own function drops the seconds of a minute 59, and of 30 seconds."""
    return (moment + datetime.timedelta(seconds=30)).replace(second=0, microsecond=0)


adhan.rounded_minute = nearest_minute


def days(year):
    day = datetime.date(year, 1, 1)
    while day.year == year:
        yield day
        day += datetime.timedelta(days=1)


def clock(moment, day):
    """The local time, with +1 or -1 where it is on another day."""
    shift = (moment.date() - day).days
    return moment.strftime("%H:%M") + (f"{shift:+d}" if shift else "")


def by_adhan(city):
    name, latitude, longitude, zone, method, madhab, rule, year = city
    parameters = CalculationParameters(method=METHODS[method])
    parameters.madhab = Madhab.HANAFI if madhab == "hanafi" else Madhab.SHAFI
    parameters.high_latitude_rule = RULES[rule]
    for day in days(year):
        try:
            times = adhan.PrayerTimes(
                (latitude, longitude), datetime.datetime(day.year, day.month, day.day),
                calculation_parameters=parameters, time_zone=zoneinfo.ZoneInfo(zone))
            yield [day] + [clock(getattr(times, prayer), day) for prayer in NAMES]
        except RuntimeError:
            yield [day] + ["none"] * 6


def by_praytimes(city):
    name, latitude, longitude, zone, method, madhab, rule, year = city
    # Its initializer takes the last method for the one that was asked for.
    reference = PrayTimes()
    reference.adjust(PrayTimes.methods["Tehran"]["params"])
    for day in days(year):
        noon = datetime.datetime(day.year, day.month, day.day, 12, tzinfo=zoneinfo.ZoneInfo(zone))
        hours = noon.utcoffset().total_seconds() / 3600
        times = reference.getTimes((day.year, day.month, day.day), (latitude, longitude), hours)
        yield [day] + [times[prayer] for prayer in NAMES]


def by_ephem(latitude, longitude, zone, year):
    """Dawn at -18 degrees, sunrise, noon, sunset and dusk at -17, or none, between noon and the midnights beside it."""
    observer = ephem.Observer()
    observer.lat, observer.lon, observer.pressure = str(latitude), str(longitude), 0
    sun = ephem.Sun()

    def altitude(moment):
        observer.date = moment
        sun.compute(observer)
        return sun.alt * 180 / ephem.pi

    def crossing(wanted, noon, midnight):
        if altitude(noon) < wanted or altitude(midnight) > wanted:
            return None
        high, low = noon, midnight
        while abs(high - low) > 1e-6:
            middle = (high + low) / 2
            if altitude(middle) >= wanted:
                high = middle
            else:
                low = middle
        return high

    for day in days(year):
        observer.date = ephem.Date((day.year, day.month, day.day))
        noon = float(observer.next_transit(sun))
        moments = [
            crossing(-18, noon, noon - 0.5), crossing(-50 / 60, noon, noon - 0.5), noon,
            crossing(-50 / 60, noon, noon + 0.5), crossing(-17, noon, noon + 0.5)]
        yield [day] + [
            "none" if moment is None else clock(
                nearest_minute(ephem.to_timezone(ephem.Date(moment), zoneinfo.ZoneInfo(zone))), day)
            for moment in moments]


def write(name, head, rows):
    with open(FOLDER / name, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


def write_city(city, rows):
    # The first line says what was asked, the second what the columns are.
    write(f"{city[0]}-{city[4]}-{city[7]}.csv", city, [["day"] + NAMES] + list(rows))


for city in CITIES:
    write_city(city, by_adhan(city))
tehran = ("tehran", 35.715298, 51.404343, "Asia/Tehran", "tehran", "shafi", "middleOfTheNight", 2026)
write_city(tehran, by_praytimes(tehran))
for name, latitude, longitude, zone, year in GRAZED:
    write(f"sun-{name}-{year}.csv", [name, latitude, longitude, zone, year], [
        ["day", "dawn", "sunrise", "noon", "sunset", "dusk"]] + list(by_ephem(latitude, longitude, zone, year)))
write("qibla.csv", ["city", "latitude", "longitude", "degrees"], [
    [name, latitude, longitude, f"{Qiblah(PrayerConf(longitude, latitude, 0)).direction():.2f}"]
    for name, latitude, longitude in sorted(set(BEARINGS))])
write("hijri-months.csv", ["year", "month", "firstDay"], [
    [year, month, Hijri(year, month, 1).to_gregorian().isoformat()]
    for year in range(1420, 1496) for month in range(1, 13)])
